// SPDX-License-Identifier: MIT

public import VirtualPhone

extension App {
    /// Describes an app whose code starts at a UIApplicationDelegate, in place of `@main`.
    ///
    /// At each launch the phone makes the delegate on the main actor, calls `willFinishLaunching` and
    /// `didFinishLaunching` with it, and keeps it until the process dies. The launch options are nil, as they are when a
    /// user opens an app or a VoIP push starts it; an activity comes to `application(_:continue:restorationHandler:)`.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: Names the app on the phone.
    ///   - displayName: The name under the icon and on the call screen.
    ///   - backgroundModes: `UIBackgroundModes` of Info.plist.
    ///   - apsEnvironment: The entitlement for pushes.
    ///   - appGroups: The entitlement for shared folders.
    ///   - delegate: Makes the app's delegate: `AppDelegate()`.
    public init(
        bundleIdentifier: String, displayName: String, backgroundModes: Set<BackgroundMode> = [.voip, .audio],
        apsEnvironment: APNsEnvironment? = .development, appGroups: Set<String> = [],
        delegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate
    ) {
        self.init(
            bundleIdentifier: bundleIdentifier, displayName: displayName, backgroundModes: backgroundModes,
            apsEnvironment: apsEnvironment, appGroups: appGroups
        ) { _ in
            MainActor.assumeIsolated { LaunchedApplication(delegate) }
        }
    }
}

/// What lives as long as the app's process: the application and its delegate.
@MainActor
private final class LaunchedApplication: Sendable {
    private let application: UIApplication
    private let delegate: any UIApplicationDelegate

    init(_ make: @MainActor @Sendable () -> any UIApplicationDelegate) {
        application = UIApplication.shared
        delegate = make()
        application.launch(delegate)
    }
}
