// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// The app as the phone sees it: its state, its time in the background, its doors to other apps.
///
/// One for each process. Several phones in one test process: ``shared`` is that of the process whose callback or launch
/// runs; from a block on the main queue it can be told only when one app runs.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    nonisolated let core: ApplicationCore
    /// Takes what the phone tells; not retained.
    ///
    /// `App(delegate:)` keeps the app's.
    open weak var delegate: (any UIApplicationDelegate)?
    /// Whether the screen stays on.
    open var isIdleTimerDisabled = false {
        didSet { core.send(.setIdleTimerDisabled(isIdleTimerDisabled)) }
    }
    /// Whether the app asked for a token for notifications.
    open private(set) var isRegisteredForRemoteNotifications = false
    /// The number on the icon.
    open var applicationIconBadgeNumber = 0 {
        didSet { core.send(.notifications(.setBadge(applicationIconBadgeNumber))) }
    }
    /// The app's windows; none unless the app adds them.
    open var windows: [UIWindow] = []
    /// The app's scenes; there are none.
    open var connectedScenes: Set<UIScene> { [] }

    init(_ process: AppProcess) {
        core = ApplicationCore(process)
        super.init()
        core.attach(self)
    }

    /// The process's application.
    ///
    /// - Precondition: A phone runs the app.
    open class var shared: UIApplication {
        shared(of: .required(for: "UIApplication"))
    }

    static func shared(of process: AppProcess) -> UIApplication {
        process.singleton { UIApplication(process) }
    }

    /// Where the app is (K7).
    open var applicationState: State {
        State(rawValue: core.value.state) ?? .background
    }

    /// Whether protected files and keychain items can be read: not before the first unlock, and not while locked (R79).
    open var isProtectedDataAvailable: Bool {
        core.value.isProtectedDataAvailable
    }

    // MARK: - Time in the background

    /// How long the process still runs in the background, in seconds (K11).
    ///
    /// The largest number when nothing limits it.
    open var backgroundTimeRemaining: TimeInterval {
        core.value.backgroundTimeRemaining.map { $0 / .seconds(1) } ?? UIApplication.backgroundTaskNoLimit
    }

    /// Asks for time in the background; ended by ``endBackgroundTask(_:)`` (K11, R80).
    ///
    /// - Parameter handler: Called on the main queue when the time is over: the task has to be ended in it.
    /// - Returns: Names the task.
    nonisolated open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        core.begin(nil, handler)
    }

    /// Asks for time in the background, with a name for the log (K11, R80).
    nonisolated open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        core.begin(taskName, handler)
    }

    /// Gives the time back; a task that is unknown or ended already changes nothing.
    nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        core.end(identifier)
    }

    // MARK: - Other apps

    /// Whether some app opens the URL; the phone knows web pages, mail, telephone and Settings.
    open func canOpenURL(_ url: URL) -> Bool {
        ["http", "https", "mailto", "tel", "facetime", "sms", "app-settings"].contains(url.scheme?.lowercased() ?? "")
    }

    /// Opens a URL in its app; refused from the background (R5).
    open func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        let opened = opens(url)
        let process = core.process
        DispatchQueue.main.async { process.run { completion?(opened) } }
    }

    /// Opens a URL in its app; refused from the background (R5).
    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        opens(url)
    }

    private func opens(_ url: URL) -> Bool {
        canOpenURL(url) && core.process.send(.application(.openURL(url.absoluteString))) == .done
    }

    // MARK: - Notifications

    /// Asks for a token for ordinary notifications; it comes to the delegate.
    ///
    /// VoIP pushes have PushKit's.
    open func registerForRemoteNotifications() {
        isRegisteredForRemoteNotifications = true
        core.send(.registerForRemoteNotifications)
    }

    /// Gives the token back.
    open func unregisterForRemoteNotifications() {
        isRegisteredForRemoteNotifications = false
    }
}
