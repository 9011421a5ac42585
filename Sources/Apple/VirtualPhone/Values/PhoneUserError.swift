// SPDX-License-Identifier: MIT

public import Foundation

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
    /// No such notification is shown.
    case noNotification(String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .nothingRings: return "no call rings: wait for screen.incoming to have a card"
        case .noCall: return "no call goes on: wait for screen.inCall to have a call"
        case .unknownCall(let call): return "no call \(call) on the screen"
        case .notOffered(let choice): return "the screen does not offer \(choice): see the card's choices and canHold"
        case .appNotInstalled(let bundle): return "\(bundle) is not installed: call install(_:) first"
        case .appNotRunning(let bundle): return "\(bundle) does not run: open it first"
        case .noNotification(let identifier): return "no notification \(identifier) is shown: see notifications"
        }
    }
}
