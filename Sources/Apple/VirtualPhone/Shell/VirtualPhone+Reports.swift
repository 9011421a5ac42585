// SPDX-License-Identifier: MIT

extension VirtualPhone {
    /// A violation or a warning of this phone, printed as a compiler does, with the timeline around it.
    ///
    /// - Parameters:
    ///   - violation: One of ``violations`` or ``warnings``.
    ///   - context: How many lines of the timeline to show before and after.
    ///   - color: Whether to colour it for a terminal.
    /// - Returns: Lines without a line break at the end.
    public func report(of violation: Violation, context: Int = 3, color: Bool = false) -> String {
        violation.rendered(in: timeline, context: context, color: color)
    }

    /// All violations, then all warnings, each as ``report(of:context:color:)`` prints it; empty when there are none.
    public func report(context: Int = 3, color: Bool = false) -> String {
        let snapshot = snapshot
        return (snapshot.violations + snapshot.warnings)
            .map { $0.rendered(in: snapshot.timeline, context: context, color: color) }
            .joined(separator: "\n\n")
    }

    /// Looks for what an app left behind: every call that the phone still shows, for the end of a test (P18).
    ///
    /// The phone cannot know that the other side hung up: only the app's report ends a call.
    /// - Returns: One violation a call; it is not added to ``violations``.
    public func audit() -> [Violation] {
        let snapshot = snapshot
        return snapshot.calls.filter { $0.other == nil }.map { call in
            Violation(
                rule: "E2", what: "the phone still shows a call (\(call.phase.rawValue))",
                advice:
                    "Report every end: reportCall(with:endedAt:reason:) for the other side's, an end action for the user's.",
                time: snapshot.now, app: call.app, call: call.uuid)
        }
    }
}
