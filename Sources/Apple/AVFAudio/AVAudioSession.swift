// SPDX-License-Identifier: MIT

public import Foundation
package import VirtualPhone

/// The app's way to say how it uses sound, and to see what the phone makes of it.
///
/// In a call the phone activates the session, not the app: set category and mode when a call is started or answered,
/// run audio between `didActivate` and `didDeactivate` (S1). Methods may be called on any thread.
open class AVAudioSession: NSObject {
    /// What the app wishes, kept for reading back; the virtual phone's hardware follows where it can (V6).
    struct Wishes {
        var policy = RouteSharingPolicy.default
        var allowsHaptics = false
        var input: AVAudioSessionPortDescription?
        var noSystemAlerts = false
        var sampleRate = 0.0
        var bufferDuration: TimeInterval = 0
        var inputChannels = 0
        var outputChannels = 0
        var orientation = StereoOrientation.none
        var ioType = IOType.notSpecified
        var multichannel = false
        var echoCancelled = false
        var interruptionOnDisconnect = true
        var injection = MicrophoneInjectionMode.none
        var outputMuted = false
    }

    private static let sessions = Locked<[ObjectIdentifier: AVAudioSession]>([:])

    let process: AppProcess
    let wishes = Locked(Wishes())

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
        sessions.withLock { sessions in
            if let session = sessions[ObjectIdentifier(process)] { return session }
            sessions = sessions.filter { $0.value.process.isRunning }
            let session = AVAudioSession(process: process)
            sessions[ObjectIdentifier(process)] = session
            return session
        }
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
        var options = options
        if options.contains(.duckOthers) || options.contains(.interruptSpokenAudioAndMixWithOthers) {
            options.insert(.mixWithOthers)  // V5
        }
        let request = AppRequest.setAudioCategory(
            category: category.rawValue, mode: mode.rawValue, options: options.rawValue)
        try change(request, reason: .categoryChange)
        wishes.withLock { $0.policy = policy }
    }

    /// The category.
    open var category: AVAudioSession.Category { .init(rawValue: phoneState.category) }
    /// The options of the category.
    open var categoryOptions: AVAudioSession.CategoryOptions { .init(rawValue: phoneState.options) }
    /// The mode.
    open var mode: AVAudioSession.Mode { .init(rawValue: phoneState.mode) }
    /// Whose route the app uses.
    open var routeSharingPolicy: AVAudioSession.RouteSharingPolicy { wishes.withLock { $0.policy } }

    /// Sets the mode and keeps category and options.
    open func setMode(_ mode: AVAudioSession.Mode) throws {
        let state = phoneState
        let request = AppRequest.setAudioCategory(
            category: state.category, mode: mode.rawValue, options: state.options)
        try change(request, reason: .categoryChange)
    }

    // MARK: - Activation

    /// Activates or deactivates the session; not for calls, whose session the phone activates (S1).
    ///
    /// - Throws: ``ErrorCode/insufficientPriority`` while a call has priority (S4).
    open func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions = []) throws {
        try change(.setAudioActive(active: active, options: options.rawValue), reason: nil)
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
        try change(.overrideOutputPort(port: portOverride.rawValue), reason: .override)
    }

    /// Where sound comes from and goes to now.
    open var currentRoute: AVAudioSessionRouteDescription { phoneState.route }

    /// The inputs that the category can use (V6).
    open var availableInputs: [AVAudioSessionPortDescription]? { currentRoute.inputs }
}

// The process is Sendable and the wishes are behind a lock; the rest lies with the phone.
extension AVAudioSession: @unchecked Sendable {}
