// SPDX-License-Identifier: MIT

/// What the sample app shows, as a value.
public struct SamplerScreen: Hashable, Sendable {
    /// Something to say over the screen.
    public enum Alert: Hashable, Sendable {
        /// Settings are missing or wrong; the text says which (R10).
        case settings(String)
        /// The microphone was refused; with a button that opens Settings (R5).
        case microphoneDenied
        /// The microphone is forbidden on this phone; there is nothing to open (R5).
        case microphoneRestricted
        /// There is nobody else (R95).
        case nobodyToCall
        /// A call or the list of peers failed; the text says why.
        case failure(String)

        /// The alert's text.
        public var text: String {
            switch self {
            case .settings(let text), .failure(let text): text
            case .microphoneDenied: "Calls need the microphone. Allow it in Settings."
            case .microphoneRestricted: "The microphone cannot be used on this phone, so there are no calls."
            case .nobodyToCall: "There is nobody to call."
            }
        }

        /// Whether the alert has a button that opens Settings.
        public var opensSettings: Bool { self == .microphoneDenied }
    }

    /// This user's own id, once the server is reached (R95).
    public var ownID: String?
    /// How the connection or the call stands, in words.
    public var status = "Not connected"
    /// Whether the Call button can be tapped: connected, microphone allowed, no call (R10).
    public var canCall = false
    /// Whether the End button can be tapped.
    public var canEnd = false
    /// The peers to choose from, while the sheet is up (R95).
    public var choices: [Peer]?
    /// What to say; nil when there is nothing.
    public var alert: Alert?

    /// Makes the screen of an app that has just started.
    public init() {}
}
