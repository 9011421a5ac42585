// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
public import Foundation
import OffhookNet
import PushKit
public import VirtualPhone

/// A plain calling app on CallKit and PushKit, without Offhook: what most apps look like, with the mistakes on request.
///
/// Its pushes are JSON: `call` (a UUID; a new one when it is missing), `caller` and `handle`. Its server is the test.
///
/// ```swift
/// let app = PlainCallApp()
/// phone.install(app.app)
/// phone.push(to: app.bundle, ["caller": "Alice"])
/// ```
public final class PlainCallApp: Sendable {
    /// What the app does, right or wrong.
    public struct Behavior: Hashable, Sendable {
        /// When a push is reported.
        public enum Report: Hashable, Sendable {
            /// Inside the callback, as K3 asks.
            case inCallback
            /// From a task that the callback starts: too late (K3).
            case inTask
            /// Not at all (K4).
            case never
        }
        /// How an action is completed.
        public enum Completion: Hashable, Sendable {
            /// At once.
            case fulfill
            /// At once, as failed.
            case fail
            /// Not at all: it times out (T6).
            case never
        }
        /// When a push is reported.
        public var report = Report.inCallback
        /// How an answer is completed.
        public var answer = Completion.fulfill
        /// How an end is completed.
        public var end = Completion.fulfill
        /// How the other actions are completed.
        public var others = Completion.fulfill
        /// Whether its calls can be held and grouped.
        public var supportsHolding = true
        /// How many groups of calls there may be.
        public var maximumCallGroups = 2
        /// Whether Recents keeps its calls.
        public var includesCallsInRecents = true
        /// Whether the app sets its configuration again before it reports: the cure of S3.
        public var configuresBeforeReport = false

        /// An app that does everything right.
        public init() {}
    }

    /// The app's bundle identifier.
    public let bundle: String
    /// The name on the call screen.
    public let name: String
    let behavior: Guarded<Behavior>
    let running = Guarded<PlainCallProcess?>(nil)
    let heard = Guarded<[String]>([])

    /// Makes an app.
    public init(
        bundle: String = "com.example.calls", name: String = "Calls", _ change: (inout Behavior) -> Void = { _ in }
    ) {
        self.bundle = bundle
        self.name = name
        var behavior = Behavior()
        change(&behavior)
        self.behavior = Guarded(behavior)
    }

    /// The app as it is installed on a phone; one phone for each ``PlainCallApp``.
    public var app: App {
        App(bundleIdentifier: bundle, displayName: name) { [self] reason in
            heard.withLock { $0.append("launched: \(reason.rawValue)") }
            let process = PlainCallProcess(app: self)
            running.withLock { $0 = process }
            return process
        }
    }

    /// Changes what the app does from now on; what its configuration says changes at the next launch.
    public func change(_ body: (inout Behavior) -> Void) {
        behavior.withLock { body(&$0) }
    }

    /// What the app was told, in order: `answer`, `end`, `hold`, `didActivate` and so on, over all launches.
    public var events: [String] { heard.withLock { $0 } }

    /// Empties ``events``, for a test of very many calls.
    public func forgetEvents() { heard.withLock { $0 = [] } }

    // MARK: - What the app's server and its own buttons do

    /// The app calls somebody from its own screen: a start action in a transaction (R40).
    ///
    /// - Returns: The call.
    @discardableResult
    public func call(_ handle: String) -> UUID {
        let call = UUID()
        request(CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: handle)))
        return call
    }

    /// The server says that the other side of a call out answered.
    public func remoteAnswered(_ call: UUID) {
        process?.provider.reportOutgoingCall(with: call, connectedAt: nil)
    }

    /// The server says that a call is over (E2).
    public func remoteEnded(_ call: UUID, _ reason: End = .remote) {
        process?.provider.reportCall(with: call, endedAt: nil, reason: reason.value)
    }

    /// How a call ends that the server ends (E3).
    public enum End: Hashable, Sendable {
        /// It failed.
        case failed
        /// The other side hung up or gave up.
        case remote
        /// Nobody answered.
        case unanswered
        /// Another device answered.
        case answeredElsewhere
        /// Another device declined.
        case declinedElsewhere

        var value: CXCallEndedReason {
            switch self {
            case .failed: .failed
            case .remote: .remoteEnded
            case .unanswered: .unanswered
            case .answeredElsewhere: .answeredElsewhere
            case .declinedElsewhere: .declinedElsewhere
            }
        }
    }

    /// The server offers a call over the app's connection: no push, the app runs.
    ///
    /// - Returns: The call.
    @discardableResult
    public func ring(_ call: UUID = UUID(), caller: String) -> UUID {
        process?.report(call, caller: caller, handle: nil)
        return call
    }

    /// The app ends a call from its own screen.
    public func end(_ call: UUID) { request(CXEndCallAction(call: call)) }

    /// The app mutes or unmutes from its own screen (G6).
    public func setMuted(_ isMuted: Bool, _ call: UUID) { request(CXSetMutedCallAction(call: call, muted: isMuted)) }

    /// The app holds or resumes from its own screen.
    public func setHeld(_ isHeld: Bool, _ call: UUID) { request(CXSetHeldCallAction(call: call, onHold: isHeld)) }

    /// The app merges a call with another one, from its own screen (G5).
    public func merge(_ call: UUID, with other: UUID) {
        request(CXSetGroupCallAction(call: call, callUUIDToGroupWith: other))
    }

    private func request(_ action: CXAction) {
        process?.controller.request(CXTransaction(action: action)) { [heard] error in
            if let error { heard.withLock { $0.append("request refused: \((error as NSError).code)") } }
        }
    }

    private var process: PlainCallProcess? { running.withLock { $0 } }
}
