// SPDX-License-Identifier: MIT

/// What one media engine tells the other through signaling; the call rules never read the body.
public struct MediaSignal: Hashable, Sendable, Codable {
    /// What the body is.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A session description that offers (SDP for peer engines).
        case offer
        /// A session description that answers an offer.
        case answer
        /// An ICE candidate.
        case candidate
        /// Admission to a room, for room engines.
        case ticket
    }

    /// What the body is.
    public var kind: Kind
    /// Counts media sessions of one call; a network change that cannot restart ICE makes generation + 1.
    public var generation: Int
    /// The engine's own text, at most 65,536 bytes of UTF-8.
    public var body: String

    /// Makes a signal.
    public init(kind: Kind, generation: Int = 0, body: String) {
        self.kind = kind
        self.generation = generation
        self.body = body
    }
}

extension MediaSignal: CustomStringConvertible {
    /// Kind, generation and size; never the body, which holds addresses.
    public var description: String { "\(kind.rawValue), generation \(generation), \(body.utf8.count) bytes" }
}
