// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

// Settings shared by every Swift target: Swift 6 language mode, strict imports, warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

func source(_ group: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(group)/\(name)", swiftSettings: strict)
}

func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, resources: resources,
        swiftSettings: strict)
}

func library(_ name: String, pkgConfig: String, package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

// What every platform gets: pure Swift, no C library.
var products: [Product] = [
    .library(name: "OffhookCore", targets: ["OffhookCore"]),
    .library(name: "OffhookWire", targets: ["OffhookWire"]),
    .library(name: "OffhookDirectory", targets: ["OffhookDirectory"]),
    .library(name: "Offhook", targets: ["Offhook"]),
    .library(name: "OffhookNotificationService", targets: ["OffhookNotificationService"]),
]
var targets: [Target] = [
    source("Core", "OffhookCore"),
    source("Core", "OffhookWire", ["OffhookCore"]),
    source("Core", "OffhookDirectory", ["OffhookCore"]),
    // Phones, a server and a network in virtual time; pure, apart from the codec of what is stored.
    source("Testing", "OffhookWorld", ["OffhookCore"]),
    tests("OffhookCoreTests", ["OffhookCore", "OffhookWorld"], exclude: ["Golden"]),
    tests("OffhookWireTests", ["OffhookWire", "OffhookCore"]),
    tests("OffhookDirectoryTests", ["OffhookDirectory", "OffhookCore"], exclude: ["Golden", "Peers"]),
]

#if os(Linux)
    // Apple's frameworks exist on Apple's systems; here the stand-ins take their names.
    products += [
        .library(name: "CallKit", targets: ["CallKit"]),
        .library(name: "PushKit", targets: ["PushKit"]),
        .library(name: "AVFAudio", targets: ["AVFAudio"]),
        .library(name: "AVFoundation", targets: ["AVFoundation"]),
        .library(name: "LiveCommunicationKit", targets: ["LiveCommunicationKit"]),
        // Thin stand-ins for what real app source imports besides: names used for calls, nothing more.
        .library(name: "UIKit", targets: ["UIKit"]),
        .library(name: "Combine", targets: ["Combine"]),
        .library(name: "os", targets: ["os"]),
        .library(name: "Intents", targets: ["Intents"]),
        .library(name: "UserNotifications", targets: ["UserNotifications"]),
        .library(name: "Security", targets: ["Security"]),
        .library(name: "VirtualPhone", targets: ["VirtualPhone"]),
        .library(name: "VirtualAPNs", targets: ["VirtualAPNs"]),
        .library(name: "OffhookMedia", targets: ["OffhookMedia"]),
        .library(name: "OffhookPush", targets: ["OffhookPush"]),
        .library(name: "OffhookServer", targets: ["OffhookServer"]),
        .library(name: "OffhookCallDirectory", targets: ["OffhookCallDirectory"]),
        .library(name: "OffhookDirectoryCompiler", targets: ["OffhookDirectoryCompiler"]),
        .library(name: "OffhookTesting", targets: ["OffhookTesting"]),
        .executable(name: "offhook", targets: ["offhook"]),
        .executable(name: "offhook-bench", targets: ["offhook-bench"]),
        .executable(name: "call-walk", targets: ["call-walk"]),
        .executable(name: "broker-model", targets: ["broker-model"]),
    ]
    targets += [
        library("CUV", pkgConfig: "libuv", package: "libuv1-dev"),
        library("CNGHTTP2", pkgConfig: "libnghttp2", package: "libnghttp2-dev"),
        library("COpenSSL", pkgConfig: "openssl", package: "libssl-dev"),
        library("CSQLite", pkgConfig: "sqlite3", package: "libsqlite3-dev"),
        library("CGStreamer", pkgConfig: "gstreamer-1.0", package: "libgstreamer1.0-dev"),
        source("System", "OffhookNet", ["CUV", "CNGHTTP2", "COpenSSL"]),

        source("Apple", "VirtualPhone"),
        source("Apple", "AVFAudio", ["VirtualPhone"]),
        source("Apple", "AVFoundation", ["AVFAudio"]),
        // What Apple's Foundation has and Linux's lacks; the frameworks re-export it.
        source("Apple", "AppleFoundation", ["VirtualPhone"]),
        source("Apple", "CallKit", ["VirtualPhone", "AVFAudio", "AppleFoundation"]),
        source("Apple", "PushKit", ["VirtualPhone", "AppleFoundation"]),
        source("Apple", "LiveCommunicationKit", ["VirtualPhone", "AVFAudio", "AppleFoundation"]),
        // Empty; what `import Testing` and `import UIKit` in one file ask for.
        source("Apple", "_Testing_UIKit"),
        source("Apple", "UIKit", ["VirtualPhone", "AppleFoundation", "Intents", "_Testing_UIKit"]),
        source("Apple", "Combine"),
        // The C side of `os`: makes `import os.log` a submodule, and has os_unfair_lock.
        .systemLibrary(name: "COS", path: "Sources/System/COS"),
        source("Apple", "os", ["VirtualPhone", "COS"]),
        source("Apple", "Intents", ["VirtualPhone", "AppleFoundation"]),
        source("Apple", "UserNotifications", ["VirtualPhone", "AppleFoundation"]),
        source("Apple", "Security", ["VirtualPhone", "AppleFoundation"]),
        source("Apple", "VirtualAPNs", ["OffhookNet"]),

        source(
            "Client", "Offhook",
            [
                "OffhookCore", "OffhookWire", "CallKit", "PushKit", "AVFAudio", "AVFoundation", "UIKit", "Intents",
                "UserNotifications", "OffhookNet",
            ]),
        // For the notification service extension, which must not link what belongs to the app.
        source("Client", "OffhookNotificationService", ["CallKit", "UserNotifications"]),
        source("Client", "OffhookMedia", ["Offhook", "OffhookCore", "CGStreamer"]),

        source("Client", "OffhookCallDirectory", ["OffhookDirectory", "OffhookCore", "CallKit"]),

        source("Server", "OffhookPush", ["OffhookNet"]),
        source("Server", "OffhookServer", ["OffhookCore", "OffhookWire", "OffhookNet", "OffhookPush", "CSQLite"]),

        source(
            "Testing", "OffhookTesting",
            [
                "OffhookCore", "OffhookWire", "Offhook", "VirtualPhone", "VirtualAPNs", "CallKit",
                "PushKit", "AVFAudio", "OffhookServer", "OffhookPush", "OffhookNet",
            ]),
        .executableTarget(
            name: "call-walk", dependencies: ["OffhookCore", "OffhookWorld"], path: "Fuzz/CallWalk",
            swiftSettings: strict),
        .executableTarget(
            name: "broker-model", dependencies: ["OffhookWorld"], path: "Fuzz/BrokerModel", swiftSettings: strict),
        .executableTarget(
            name: "offhook",
            dependencies: [
                "OffhookCore", "OffhookWire", "Offhook", "OffhookMedia", "VirtualPhone", "VirtualAPNs", "CallKit",
                "PushKit", "AVFAudio", "OffhookServer", "OffhookPush", "OffhookNet", "OffhookTesting",
                "OffhookDirectory", "OffhookDirectoryCompiler", "OffhookCallDirectory",
            ],
            path: "Sources/Tools/offhook", swiftSettings: strict),
        .executableTarget(
            name: "offhook-bench",
            dependencies: [
                "OffhookCore", "OffhookWire", "Offhook", "VirtualPhone", "VirtualAPNs", "CallKit", "PushKit",
                "AVFAudio", "OffhookServer", "OffhookPush", "OffhookNet", "OffhookTesting", "OffhookDirectory",
                "OffhookDirectoryCompiler", "OffhookCallDirectory", "CSQLite",
            ],
            path: "Benchmarks", exclude: ["peers"], swiftSettings: strict),

        source("Tools", "OffhookDirectoryCompiler", ["OffhookDirectory", "OffhookWire"]),
        tests(
            "OffhookCallDirectoryTests",
            [
                "OffhookCallDirectory", "OffhookDirectory", "OffhookCore", "OffhookDirectoryCompiler", "CallKit",
                "VirtualPhone",
                "kill-fixture",
            ]),
        // A process that is killed at its n-th change of a file.
        .executableTarget(
            name: "kill-fixture",
            dependencies: [
                "OffhookCallDirectory", "OffhookDirectory", "OffhookCore", "OffhookDirectoryCompiler", "CallKit",
                "VirtualPhone",
            ],
            path: "Tests/Fixtures/kill-fixture", swiftSettings: strict,
            // Foundation is to find this program's functions, not the C library's.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]),
        tests("OffhookDirectoryCompilerTests", ["OffhookDirectoryCompiler", "OffhookDirectory"]),
        tests("OffhookNetTests", ["OffhookNet"], exclude: ["Peers"]),
        tests("VirtualPhoneTests", ["VirtualPhone", "CallKit", "PushKit", "AVFAudio"]),
        tests(
            "AppleModulesTests", ["CallKit", "PushKit", "AVFAudio", "AVFoundation", "VirtualPhone"],
            exclude: ["Expectations", "Fixtures"]),
        tests(
            "LiveCommunicationKitTests", ["LiveCommunicationKit", "CallKit", "PushKit", "AVFAudio", "VirtualPhone"]),
        tests(
            "AppleShimsTests",
            [
                "UIKit", "Combine", "os", "Intents", "UserNotifications", "Security", "CallKit", "PushKit",
                "VirtualPhone",
            ]),
        tests(
            "CallDirectoryTests", ["CallKit", "VirtualPhone", "call-directory-fixture"]),
        // A Call Directory extension as a program of its own, for the tests of its memory limit.
        .executableTarget(
            name: "call-directory-fixture", dependencies: ["CallKit"], path: "Tests/Fixtures/call-directory-fixture",
            swiftSettings: strict),
        tests("VirtualAPNsTests", ["VirtualAPNs", "OffhookNet"], exclude: ["Peers"]),
        tests("OffhookPushTests", ["OffhookPush", "VirtualAPNs", "OffhookNet"]),
        tests(
            "OffhookTests",
            [
                "Offhook", "OffhookCore", "OffhookWire", "OffhookTesting", "OffhookNotificationService",
                "VirtualPhone", "OffhookNet", "OffhookServer", "OffhookPush", "CallKit", "PushKit", "AVFAudio",
                "AVFoundation", "Intents", "UIKit", "UserNotifications",
            ]),
        // The phone as a test's author sees it: scenarios that are documentation too, and the pains of practice.
        tests(
            "PhoneLabTests",
            ["OffhookTesting", "VirtualPhone", "CallKit", "PushKit", "AVFAudio", "Offhook", "OffhookCore"],
            exclude: ["Scenarios/Timelines"]),
        tests(
            "PainTests",
            [
                "OffhookTesting", "VirtualPhone", "CallKit", "PushKit", "AVFAudio", "UIKit", "Intents",
                "UserNotifications", "Offhook", "OffhookCore", "OffhookWire", "OffhookServer", "OffhookPush",
                "VirtualAPNs", "OffhookNet",
            ]),
        // Apps written with the SDK: the same source as in Xcode, on virtual phones.
        .target(
            name: "HelloCall", dependencies: ["Offhook", "Combine"], path: "Examples/HelloCall", swiftSettings: strict),
        .target(
            name: "Sampler", dependencies: ["Offhook", "Combine", "AVFoundation"], path: "Examples/Sampler",
            swiftSettings: strict),
        tests(
            "ExamplesTests",
            ["HelloCall", "Sampler", "Offhook", "OffhookTesting", "VirtualPhone", "OffhookServer", "OffhookNet"]),
        tests("OffhookMediaTests", ["OffhookMedia", "Offhook", "OffhookCore", "OffhookTesting"]),
        tests(
            "OffhookServerTests",
            ["OffhookServer", "OffhookCore", "OffhookWire", "OffhookNet", "OffhookPush", "VirtualAPNs"]),
        tests("OffhookToolTests", ["offhook", "OffhookTesting"]),
        tests(
            "ScenarioTests",
            [
                "OffhookMedia", "OffhookTesting", "Offhook", "OffhookCore", "VirtualPhone", "CallKit", "PushKit",
                "AVFAudio",
                "OffhookServer", "OffhookPush", "VirtualAPNs", "OffhookNet", "OffhookWire",
            ]),
        // The frameworks are built for it: it type-checks the ported app against them.
        tests(
            "RepositoryTests",
            [
                "Offhook", "AVFoundation", "UIKit", "Combine", "os", "Intents", "UserNotifications", "Security",
                "CallKit", "PushKit",
            ]),
    ]
#else
    products += [
        .library(name: "OffhookCallDirectory", targets: ["OffhookCallDirectory"]),
        .library(name: "OffhookTesting", targets: ["OffhookTesting"]),
    ]
    targets += [
        source("Client", "OffhookCallDirectory", ["OffhookDirectory", "OffhookCore"]),
        source("Client", "Offhook", ["OffhookCore", "OffhookWire"]),
        source("Client", "OffhookNotificationService"),
        .target(name: "HelloCall", dependencies: ["Offhook"], path: "Examples/HelloCall", swiftSettings: strict),
        .target(name: "Sampler", dependencies: ["Offhook"], path: "Examples/Sampler", swiftSettings: strict),
        // The conformance suite for media engines, without the virtual phone.
        .target(
            name: "OffhookTesting", dependencies: ["Offhook", "OffhookCore"],
            path: "Sources/Testing/OffhookTesting/Conformance", swiftSettings: strict),
    ]
#endif

// A build of some targets alone, for work on one part: OFFHOOK_ONLY=OffhookNet,OffhookNetTests swift test
if let only = Context.environment["OFFHOOK_ONLY"] {
    var wanted = Set(only.split(separator: ",").map(String.init))
    var grew = true
    while grew {
        grew = false
        for target in targets where wanted.contains(target.name) {
            for case .byNameItem(let name, _) in target.dependencies where wanted.insert(name).inserted { grew = true }
        }
    }
    targets = targets.filter { wanted.contains($0.name) }
    products = []
}

let package = Package(
    name: "Offhook",
    platforms: [.iOS(.v15), .macOS(.v13)],
    products: products,
    targets: targets,
    swiftLanguageModes: [.v6]
)
