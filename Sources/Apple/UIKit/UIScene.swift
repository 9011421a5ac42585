// SPDX-License-Identifier: MIT

public import Foundation

// Names only: so that an app's delegates compile. The phone has no scenes and shows no views.

/// One of an app's user interfaces; the phone has none.
@preconcurrency @MainActor
open class UIScene: UIResponder {
    /// What led to a scene.
    open class ConnectionOptions: NSObject {
        /// The activities to go on with.
        open var userActivities: Set<NSUserActivity> { [] }
    }

    /// Takes what happens to the scene.
    open var delegate: (any UISceneDelegate)?
}

/// A scene with windows; the phone has none.
@preconcurrency @MainActor
open class UIWindowScene: UIScene {
    /// Its windows.
    open var windows: [UIWindow] { [] }
}

/// What is kept of a scene.
@preconcurrency @MainActor
open class UISceneSession: NSObject {
    /// What a scene is for.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// The role's name.
        public var rawValue: String

        /// Makes a role.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The app's windows on the phone.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    /// What the scene is for.
    open var role: Role { .windowApplication }
}

/// How a scene is made.
@preconcurrency @MainActor
open class UISceneConfiguration: NSObject {
    /// Its name in Info.plist.
    public let name: String?
    /// What it is for.
    public let role: UISceneSession.Role
    /// The class of its delegate.
    open var delegateClass: AnyClass?

    /// Describes a scene.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}

/// Takes what happens to a scene; never called here.
@preconcurrency @MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// The scene comes to be.
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions)
    /// The scene is gone.
    func sceneDidDisconnect(_ scene: UIScene)
    /// The scene takes taps.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// The scene will not take taps.
    func sceneWillResignActive(_ scene: UIScene)
    /// The scene gets the screen.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// The scene left the screen.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// The user goes on with an activity.
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

extension UISceneDelegate {
    /// Does nothing.
    public func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    /// Does nothing.
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

/// Takes what happens to a scene with windows; never called here.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The scene's window.
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    /// No window.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
