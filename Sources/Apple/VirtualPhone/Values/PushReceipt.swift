// SPDX-License-Identifier: MIT

public import Foundation

/// What became of a push that APNs handed to the phone.
public enum PushReceipt: Hashable, Sendable, Codable {
    /// Handed to the app's registry.
    case delivered(push: UUID)
    /// Waits for a registry: the app is being launched, or has none yet (K1, K4).
    case waiting(push: UUID)
    /// Dropped in silence, after too many reporting failures; APNs has said 200 (K9).
    case dropped
    /// No app of this phone has the token, or it was removed.
    case unknownToken

    /// Names the delivery; nil when there is none.
    public var push: UUID? {
        switch self {
        case .delivered(let push), .waiting(let push): return push
        case .dropped, .unknownToken: return nil
        }
    }
}

/// The user wanted to tap something that is not there.
public enum PhoneUserError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// No call rings.
    case nothingRings
    /// No call goes on.
    case noCall
    /// The call is not on the screen.
    case unknownCall(UUID)
    /// The screen does not offer this choice, such as Hold & Accept (G2).
    case notOffered(String)
    /// No such app is installed.
    case appNotInstalled(String)
    /// The app does not run.
    case appNotRunning(String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .nothingRings: return "no call rings: wait for screen.incoming to have a card"
        case .noCall: return "no call goes on: wait for screen.inCall to have a call"
        case .unknownCall(let call): return "no call \(call) on the screen"
        case .notOffered(let choice): return "the screen does not offer \(choice): see the card's choices and canHold"
        case .appNotInstalled(let bundle): return "\(bundle) is not installed: call install(_:) first"
        case .appNotRunning(let bundle): return "\(bundle) does not run: open it first"
        }
    }
}
