// SPDX-License-Identifier: MIT

public import Foundation
package import VirtualPhone

/// The app's way to say how it uses sound, and to see what the phone makes of it.
///
/// In a call the phone activates the session, not the app: set category and mode when a call is started or answered,
/// run audio between `didActivate` and `didDeactivate` (S1). Methods may be called on any thread.
open class AVAudioSession: NSObject {
    private static let sessions = Locked<[ObjectIdentifier: AVAudioSession]>([:])

    let process: AppProcess
    /// Where the phone's events arrive, and answers to requests of the session's.
    let events = DispatchQueue(label: "AVAudioSession")

    init(process: AppProcess) {
        self.process = process
    }

    /// The session of the running app.
    ///
    /// - Precondition: A phone runs the app.
    open class func sharedInstance() -> AVAudioSession {
        session(of: .required(for: "AVAudioSession"))
    }

    /// The session of an app process.
    package static func session(of process: AppProcess) -> AVAudioSession {
        let (session, isNew) = sessions.withLock { sessions in
            if let session = sessions[ObjectIdentifier(process)] { return (session, false) }
            sessions = sessions.filter { $0.value.process.isRunning }
            let session = AVAudioSession(process: process)
            sessions[ObjectIdentifier(process)] = session
            return (session, true)
        }
        if isNew { session.attach() }
        return session
    }

    // MARK: - Category

    /// Sets the category with the mode `default` and no options (V2).
    ///
    /// - Throws: An `NSError` with a code of ``ErrorCode``, as all methods here.
    open func setCategory(_ category: AVAudioSession.Category) throws {
        try setCategory(category, mode: .default, options: [])
    }

    /// Sets category and options, and the mode `default` (V2).
    open func setCategory(
        _ category: AVAudioSession.Category, options: AVAudioSession.CategoryOptions = []
    ) throws {
        try setCategory(category, mode: .default, options: options)
    }

    /// Sets category, mode and options; nothing of the old ones stays (V2).
    open func setCategory(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode,
        options: AVAudioSession.CategoryOptions = []
    ) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Sets category, mode, route policy and options; nothing of the old ones stays (V2).
    open func setCategory(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode,
        policy: AVAudioSession.RouteSharingPolicy, options: AVAudioSession.CategoryOptions = []
    ) throws {
        let request: AppRequest
        if policy == .default {
            request = .setAudioCategory(
                category: category.rawValue, mode: mode.rawValue, options: options.rawValue)
        } else {
            request = .audioSession(
                .setCategory(
                    category: category.rawValue, mode: mode.rawValue, policy: policy.rawValue,
                    options: options.rawValue))
        }
        try change(request)
    }

    /// The category.
    open var category: AVAudioSession.Category { .init(rawValue: phoneState.category) }
    /// The options of the category, with those that others and the mode imply (V2, V5).
    open var categoryOptions: AVAudioSession.CategoryOptions { .init(rawValue: phoneState.options) }
    /// The mode.
    open var mode: AVAudioSession.Mode { .init(rawValue: phoneState.mode) }
    /// Whose route the app uses.
    open var routeSharingPolicy: AVAudioSession.RouteSharingPolicy { .init(rawValue: phoneState.policy) ?? .default }

    /// Sets the mode and keeps category and options.
    open func setMode(_ mode: AVAudioSession.Mode) throws {
        try change(.audioSession(.setMode(mode.rawValue)))
    }

    // MARK: - Activation

    /// Activates or deactivates the session; not for calls, whose session the phone activates (S1).
    ///
    /// - Throws: ``ErrorCode/insufficientPriority`` while a call has priority (S4); ``ErrorCode/isBusy`` before iOS 26
    ///   when audio still runs: the session is inactive all the same (V1).
    open func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions = []) throws {
        try change(.setAudioActive(active: active, options: options.rawValue))
    }

    /// Activates the session without blocking; the handler gets whether it did, and why not.
    open func activate(
        options: AVAudioSessionActivationOptions = [],
        completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        setActive(true, [], handler)
    }

    /// Activates the session without blocking.
    ///
    /// - Returns: true.
    open func activate(options: AVAudioSessionActivationOptions = []) async throws -> Bool {
        try setActive(true)
        return true
    }

    /// Deactivates the session without blocking; the handler gets whether it did, and why not.
    open func deactivate(
        options: AVAudioSessionDeactivationOptions = [],
        completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        setActive(false, SetActiveOptions(rawValue: options.rawValue), handler)
    }

    /// Deactivates the session without blocking.
    ///
    /// - Returns: true.
    open func deactivate(options: AVAudioSessionDeactivationOptions = []) async throws -> Bool {
        try setActive(false, options: SetActiveOptions(rawValue: options.rawValue))
        return true
    }

    private func setActive(
        _ active: Bool, _ options: SetActiveOptions, _ handler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async {
            self.process.run {
                do {
                    try self.setActive(active, options: options)
                    handler(true, nil)
                } catch {
                    handler(false, error)
                }
            }
        }
    }

    // MARK: - Route

    /// Sends sound to the speaker, or back to where the category sends it, until the route changes (V3).
    ///
    /// - Throws: ``ErrorCode/badParam`` when the category is not `playAndRecord`.
    open func overrideOutputAudioPort(_ portOverride: AVAudioSession.PortOverride) throws {
        try change(.overrideOutputPort(port: portOverride.rawValue))
    }

    /// Where sound comes from and goes to now.
    open var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription(phoneState.route) }

    /// The inputs that the category can use (V6).
    open var availableInputs: [AVAudioSessionPortDescription]? {
        phoneState.availableInputs.map(AVAudioSessionPortDescription.init)
    }
}

// The process and the queue are Sendable and never change; the state lies with the phone.
extension AVAudioSession: @unchecked Sendable {}
