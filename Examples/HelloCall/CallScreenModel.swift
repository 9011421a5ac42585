// SPDX-License-Identifier: MIT

public import Combine
import Offhook

/// Keeps the screen up to date, and does what its buttons say.
@MainActor
public final class CallScreenModel: ObservableObject {
    /// What to show.
    @Published public private(set) var screen = CallScreen([])
    /// What went wrong last, for an alert; nil when nothing did.
    @Published public var problem: String?

    private let calls: CallCenter

    /// Makes the model of an app's calls; ``follow()`` keeps it up to date.
    public init(_ app: HelloCall) {
        calls = app.calls
    }

    /// Follows the calls until the task that runs it is cancelled; the calls go on without it (R89).
    public func follow() async {
        for await calls in calls.calls { screen = CallScreen(calls) }
    }

    /// Does what a button says.
    ///
    /// - Parameters:
    ///   - button: The button.
    ///   - name: Whom to call, for ``CallScreen/Button/call``.
    public func tap(_ button: CallScreen.Button, name: String = "") async {
        problem = nil
        let result: OperationResult
        switch (button, screen.call) {
        case (.call, _):
            result = await calls.startCall(to: Handle(value: name), displayName: name)
        case (.answer, let call?):
            result = await calls.answer(call)
        case (.end, let call?):
            result = await calls.end(call)
        case (.mute, let call?):
            result = await calls.setMuted(!screen.isMuted, for: call)
        case (.hold, let call?):
            result = await calls.setHeld(!screen.isHeld, for: call)
        case (.answer, nil), (.end, nil), (.mute, nil), (.hold, nil):
            return
        }
        if result.status != .applied { problem = result.failure?.message ?? "That did not work." }
    }
}
