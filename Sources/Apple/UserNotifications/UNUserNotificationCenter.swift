// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// The app's notifications; any thread.
///
/// `VirtualPhone.notifications` shows what the user sees.
///
/// Completion handlers run on a queue of the center's own.
open class UNUserNotificationCenter: NSObject {
    private let process: AppProcess
    private let id = UUID()
    private let state = Locked(State())
    let queue = DispatchQueue(label: "UserNotifications")

    private struct State {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var categories: Set<UNNotificationCategory> = []
    }

    init(_ process: AppProcess) {
        self.process = process
        super.init()
        process.attach(id, queue: .main) { [weak self] event in
            guard case .application(_, let event) = event else { return }
            self?.take(event)
        }
        ask(.attach(center: id, decides: false))
    }

    /// The process's center.
    ///
    /// - Precondition: A phone runs the app.
    open class func current() -> UNUserNotificationCenter {
        let process = AppProcess.required(for: "UNUserNotificationCenter")
        return process.singleton { UNUserNotificationCenter(process) }
    }

    /// Decides about notifications while the app is on the screen; not retained.
    ///
    /// To be set at launch.
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { state.withLock { $0.delegate } }
        set {
            state.withLock { $0.delegate = newValue }
            ask(.attach(center: id, decides: newValue != nil))
        }
    }

    // MARK: - Permission

    /// Asks the user, once; the handler gets the answer (R77).
    ///
    /// Nobody can be asked while the app is not on the screen or the phone is locked: then the answer is no, and the
    /// question stays open. `User.setAllowsNotifications(_:of:)` decides what the user answers.
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let granted = authorization(.requestAuthorization(options: options.rawValue))
        run { completionHandler(granted == .authorized || granted == .provisional, nil) }
    }

    /// Asks the user, once (R77).
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        let granted = authorization(.requestAuthorization(options: options.rawValue))
        return granted == .authorized || granted == .provisional
    }

    /// Reads what the app may do.
    open func getNotificationSettings(completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void) {
        let settings = UNNotificationSettings(authorization(.readSettings))
        run { completionHandler(settings) }
    }

    /// Reads what the app may do.
    open func notificationSettings() async -> UNNotificationSettings {
        UNNotificationSettings(authorization(.readSettings))
    }

    // MARK: - Notifications

    /// Shows a notification, at once or when its trigger says so; without permission nothing is shown.
    open func add(
        _ request: UNNotificationRequest,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        post(request)
        if let completionHandler { run { completionHandler(nil) } }
    }

    /// Shows a notification, at once or when its trigger says so; without permission nothing is shown.
    open func add(_ request: UNNotificationRequest) async throws {
        post(request)
    }

    private func post(_ request: UNNotificationRequest) {
        let delay = (request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval
        ask(.add(request.value(app: process.bundleIdentifier), delay: delay))
    }

    /// Takes back notifications that wait.
    open func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
        ask(.removePending(identifiers))
    }

    /// Takes back all notifications that wait.
    open func removeAllPendingNotificationRequests() {
        ask(.removePending(nil))
    }

    /// Removes notifications that are shown.
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        ask(.removeDelivered(identifiers))
    }

    /// Removes all notifications that are shown.
    open func removeAllDeliveredNotifications() {
        ask(.removeDelivered(nil))
    }

    /// Lists the notifications that wait.
    open func getPendingNotificationRequests(
        completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
    ) {
        let requests = list.pending.map { UNNotificationRequest($0) }
        run { completionHandler(requests) }
    }

    /// Lists the notifications that wait.
    open func pendingNotificationRequests() async -> [UNNotificationRequest] {
        list.pending.map { UNNotificationRequest($0) }
    }

    /// Lists the notifications that are shown.
    open func getDeliveredNotifications(completionHandler: @escaping @Sendable ([UNNotification]) -> Void) {
        let notifications = list.delivered.map { UNNotification($0) }
        run { completionHandler(notifications) }
    }

    /// Lists the notifications that are shown.
    open func deliveredNotifications() async -> [UNNotification] {
        list.delivered.map { UNNotification($0) }
    }

    /// Says which kinds of notifications there are.
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        state.withLock { $0.categories = categories }
    }

    /// Reads which kinds of notifications there are.
    open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        run { completionHandler(self.state.withLock { $0.categories }) }
    }

    /// Sets the number on the icon.
    open func setBadgeCount(
        _ newBadgeCount: Int, withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        ask(.setBadge(newBadgeCount))
        if let completionHandler { run { completionHandler(nil) } }
    }

    /// Sets the number on the icon.
    open func setBadgeCount(_ newBadgeCount: Int) async throws {
        ask(.setBadge(newBadgeCount))
    }
}

// MARK: - The phone

extension UNUserNotificationCenter {
    @discardableResult
    private func ask(_ request: NotificationRequest) -> AppReply {
        process.send(.application(.notifications(request)))
    }

    private func authorization(_ request: NotificationRequest) -> UNAuthorizationStatus {
        guard case .notifications(.authorization(let status)) = ask(request) else { return .denied }
        return UNAuthorizationStatus(rawValue: status) ?? .denied
    }

    private var list: (pending: [NotificationValue], delivered: [NotificationValue]) {
        guard case .notifications(.list(let pending, let delivered)) = ask(.list) else { return ([], []) }
        return (pending, delivered)
    }

    private func run(_ body: @escaping @Sendable () -> Void) {
        let process = process
        queue.async { process.run(body) }
    }

    private func take(_ event: ApplicationEvent) {
        guard let delegate else { return }
        switch event {
        case .willPresentNotification(let value):
            delegate.userNotificationCenter(self, willPresent: UNNotification(value)) { options in
                self.ask(.presented(identifier: value.identifier, options: options.rawValue))
            }
        case .didReceiveNotificationResponse(let value, let action):
            let response = UNNotificationResponse(notification: UNNotification(value), actionIdentifier: action)
            delegate.userNotificationCenter(self, didReceive: response) {}
        default: break
        }
    }
}

// Its state is behind a lock.
extension UNUserNotificationCenter: @unchecked Sendable {}
