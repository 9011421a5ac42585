// SPDX-License-Identifier: MIT

public import Offhook

/// What the app's own screen shows, as a value: made of the live calls, without a view.
public struct CallScreen: Hashable, Sendable {
    /// What can be tapped.
    public enum Button: String, Hashable, Sendable, CaseIterable {
        /// Calls the name in the text field; when there is no call.
        case call
        /// Answers a ringing call.
        case answer
        /// Declines, cancels or hangs up.
        case end
        /// Mutes or unmutes.
        case mute
        /// Holds or resumes.
        case hold
    }

    /// The call it is about; nil when there is none.
    public var call: CallID?
    /// The other side's name, or a greeting.
    public var title: String
    /// How the call stands, in words.
    public var status: String
    /// What can be tapped now.
    public var buttons: [Button]
    /// Whether the microphone is muted.
    public var isMuted = false
    /// Whether the call is held.
    public var isHeld = false

    /// Makes the screen of the live calls; of several, the one with voice comes first.
    public init(_ calls: [Call]) {
        guard let call = calls.first(where: { $0.state == .active }) ?? calls.first else {
            title = "Hello"
            status = "Nobody calls."
            buttons = [.call]
            return
        }
        self.call = call.id
        title = call.details.displayName ?? call.details.handle.value
        isMuted = call.muted
        switch call.state {
        case .incoming:
            status = "calls you"
            buttons = [.answer, .end]
        case .outgoing:
            status = call.remoteRinging ? "rings" : "is called"
            buttons = [.mute, .end]
        case .connecting:
            status = "connecting"  // answered is not connected (R28)
            buttons = [.mute, .end]
        case .active:
            status = call.interrupted ? "poor connection" : "connected"
            buttons = [.mute, .hold, .end]
        case .held:
            status = "on hold"
            isHeld = true
            buttons = [.mute, .hold, .end]
        case .ended(let reason):
            status = CallScreen.words(for: reason)
            buttons = [.call]
        }
    }

    /// Why a call ended, for people.
    public static func words(for reason: EndReason) -> String {
        switch reason {
        case .localHangup, .remoteEnded: "The call is over."
        case .declined: "The call was declined."
        case .callerCancelled: "You missed the call."
        case .unanswered: "Nobody answered."
        case .busy: "The line is busy."
        case .failed: "The call failed."
        case .answeredElsewhere: "Answered on another device."
        case .declinedElsewhere: "Declined on another device."
        case .unreachable: "No phone could be reached."
        }
    }
}
