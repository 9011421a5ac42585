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
]
var targets: [Target] = [
    source("Core", "OffhookCore"),
    source("Core", "OffhookWire", ["OffhookCore"]),
    source("Core", "OffhookDirectory"),
    tests("OffhookCoreTests", ["OffhookCore"]),
    tests("OffhookWireTests", ["OffhookWire", "OffhookCore"]),
    tests("OffhookDirectoryTests", ["OffhookDirectory"], exclude: ["Golden", "Peers"]),
]

#if os(Linux)
    // Apple's frameworks exist on Apple's systems; here the stand-ins take their names.
    products += [
        .library(name: "CallKit", targets: ["CallKit"]),
        .library(name: "PushKit", targets: ["PushKit"]),
        .library(name: "AVFAudio", targets: ["AVFAudio"]),
        .library(name: "AVFoundation", targets: ["AVFoundation"]),
        .library(name: "VirtualPhone", targets: ["VirtualPhone"]),
        .library(name: "VirtualAPNs", targets: ["VirtualAPNs"]),
        .library(name: "OffhookMedia", targets: ["OffhookMedia"]),
        .library(name: "OffhookPush", targets: ["OffhookPush"]),
        .library(name: "OffhookServer", targets: ["OffhookServer"]),
        .library(name: "OffhookTesting", targets: ["OffhookTesting"]),
        .executable(name: "offhook", targets: ["offhook"]),
        .executable(name: "offhook-bench", targets: ["offhook-bench"]),
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
        source("Apple", "CallKit", ["VirtualPhone", "AVFAudio"]),
        source("Apple", "PushKit", ["VirtualPhone"]),
        source("Apple", "VirtualAPNs", ["OffhookNet"]),

        source(
            "Client", "Offhook",
            ["OffhookCore", "OffhookWire", "CallKit", "PushKit", "AVFAudio", "OffhookNet"]),
        source("Client", "OffhookMedia", ["Offhook", "OffhookCore", "CGStreamer"]),

        source("Server", "OffhookPush", ["OffhookNet"]),
        source("Server", "OffhookServer", ["OffhookCore", "OffhookWire", "OffhookNet", "OffhookPush", "CSQLite"]),

        source(
            "Testing", "OffhookTesting",
            [
                "OffhookCore", "OffhookWire", "Offhook", "VirtualPhone", "VirtualAPNs", "CallKit", "PushKit",
                "AVFAudio", "OffhookServer", "OffhookPush", "OffhookNet",
            ]),
        .executableTarget(
            name: "offhook",
            dependencies: [
                "OffhookCore", "OffhookWire", "Offhook", "OffhookMedia", "VirtualPhone", "VirtualAPNs", "CallKit",
                "PushKit", "AVFAudio", "OffhookServer", "OffhookPush", "OffhookNet", "OffhookTesting",
            ],
            path: "Sources/Tools/offhook", swiftSettings: strict),
        .executableTarget(
            name: "offhook-bench",
            dependencies: [
                "OffhookCore", "OffhookWire", "Offhook", "VirtualPhone", "VirtualAPNs", "CallKit", "PushKit",
                "AVFAudio", "OffhookServer", "OffhookPush", "OffhookNet", "OffhookTesting",
            ],
            path: "Benchmarks", exclude: ["peers"], swiftSettings: strict),

        tests("OffhookNetTests", ["OffhookNet"], exclude: ["Peers"]),
        tests("VirtualPhoneTests", ["VirtualPhone", "CallKit", "PushKit", "AVFAudio"]),
        tests("AppleModulesTests", ["CallKit", "PushKit", "AVFAudio", "AVFoundation", "VirtualPhone"]),
        tests("VirtualAPNsTests", ["VirtualAPNs", "OffhookNet"]),
        tests("OffhookPushTests", ["OffhookPush", "VirtualAPNs", "OffhookNet"]),
        tests(
            "OffhookTests",
            [
                "Offhook", "OffhookCore", "OffhookWire", "OffhookTesting", "VirtualPhone", "OffhookNet",
                "OffhookServer", "OffhookPush", "CallKit",
            ]),
        tests("OffhookMediaTests", ["OffhookMedia", "Offhook", "OffhookCore"]),
        tests(
            "OffhookServerTests",
            ["OffhookServer", "OffhookCore", "OffhookWire", "OffhookNet", "OffhookPush", "VirtualAPNs"]),
        tests("OffhookToolTests", ["offhook"]),
        tests(
            "ScenarioTests",
            [
                "OffhookMedia", "OffhookTesting", "Offhook", "OffhookCore", "VirtualPhone", "CallKit", "PushKit",
                "AVFAudio",
                "OffhookServer", "OffhookPush", "VirtualAPNs", "OffhookNet", "OffhookWire",
            ]),
        tests("RepositoryTests", ["Offhook"]),
    ]
#else
    targets += [
        source("Client", "Offhook", ["OffhookCore", "OffhookWire"])
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
    platforms: [.iOS(.v16), .macOS(.v13)],
    products: products,
    targets: targets,
    swiftLanguageModes: [.v6]
)
