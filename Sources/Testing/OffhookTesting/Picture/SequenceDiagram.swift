// SPDX-License-Identifier: MIT

/// Who tells whom what, in order: the input of every picture of a timeline.
package struct SequenceDiagram: Hashable, Sendable {
    /// A lifeline; they stand from left to right.
    package struct Lane: Hashable, Sendable {
        /// Whose it is, such as Alice.
        package var owner: String
        /// What of the owner's it is, such as phone; empty for who stands alone.
        package var role: String
        /// Lanes of one group stand on one ground.
        package var group: Int

        /// Makes a lifeline.
        package init(owner: String, role: String = "", group: Int) {
            self.owner = owner
            self.role = role
            self.group = group
        }
    }

    /// How an event is to be read.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// One actor tells another, or notes something.
        case step
        /// What a person does or hears; drawn as the story's turning points.
        case milestone
        /// Voice begins to flow or stops.
        case voice
        /// A rule was broken; the text says which and how to repair it.
        case violation
    }

    /// One event.
    package struct Event: Hashable, Sendable {
        /// Since the start.
        package var time: Duration
        /// The lane of who acts.
        package var from: Int
        /// The lane of whom it reaches; nil for what concerns the actor alone.
        package var to: Int?
        /// The rule that asks for it or judges it, such as K3.
        package var rule: String?
        /// What happened, in a few words.
        package var text: String
        /// How to read it.
        package var kind: Kind

        /// Makes an event.
        package init(time: Duration, from: Int, to: Int?, rule: String?, text: String, kind: Kind) {
            self.time = time
            self.from = from
            self.to = to
            self.rule = rule
            self.text = text
            self.kind = kind
        }
    }

    /// What the picture shows, in one line.
    package var title: String
    /// The lifelines, from left to right.
    package var lanes: [Lane]
    /// The events in order of time; their lanes are indices of `lanes`.
    package var events: [Event]

    /// Makes a diagram.
    package init(title: String, lanes: [Lane], events: [Event]) {
        self.title = title
        self.lanes = lanes
        self.events = events
    }
}
