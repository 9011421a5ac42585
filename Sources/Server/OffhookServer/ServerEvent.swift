// SPDX-License-Identifier: MIT

public import OffhookCore

/// Something that happened on the server, for a timeline; without names, handles and tokens.
public struct ServerEvent: Hashable, Sendable {
    /// When.
    public var at: Instant
    /// What, in words.
    public var text: String
    /// The call it is about.
    public var call: CallID?
    /// The rule it follows, such as `race 2` or `R97`.
    public var rule: String?

    /// Makes an event.
    public init(at: Instant, text: String, call: CallID? = nil, rule: String? = nil) {
        self.at = at
        self.text = text
        self.call = call
        self.rule = rule
    }
}
