// swift-tools-version: 6.0
// SPDX-License-Identifier: MIT

import PackageDescription

// On a Mac the frameworks are Apple's; on Linux they are products of Offhook.
#if os(Linux)
    // From a repository: .package(url: "https://…/offhook.git", from: "…")
    let packages: [Package.Dependency] = [.package(name: "Offhook", path: "../../..")]
    func offhook(_ products: String...) -> [Target.Dependency] {
        products.map { .product(name: $0, package: "Offhook") }
    }
#else
    let packages: [Package.Dependency] = []
    func offhook(_ products: String...) -> [Target.Dependency] { [] }
#endif

let package = Package(
    name: "CallingApp",
    platforms: [.iOS(.v16)],
    dependencies: packages,
    targets: [
        .target(
            name: "CallingApp",
            dependencies: offhook(
                "CallKit", "PushKit", "AVFAudio", "AVFoundation", "UIKit", "Combine", "os", "Intents",
                "UserNotifications", "Security")),
        .testTarget(
            name: "CallingAppTests", dependencies: ["CallingApp"] + offhook("VirtualPhone", "UIKit", "CallKit")),
    ],
    swiftLanguageModes: [.v5]
)
