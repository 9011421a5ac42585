// SPDX-License-Identifier: MIT

import Offhook

extension CallCenter {
    /// Waits until the app's calls are as wanted; `what` says in words what that is.
    func wait(
        for what: String, limit: Duration = .seconds(60), until condition: @escaping @Sendable ([Call]) -> Bool
    ) async throws {
        let calls = calls
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await state in calls where condition(state) { return true }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return false
            }
            defer { group.cancelAll() }
            if try await group.next() != true { throw DemoStopped(what: what) }
        }
    }
}

/// The demo waited for something that did not come.
struct DemoStopped: Error, CustomStringConvertible {
    /// What was waited for.
    var what: String

    var description: String { "waited in vain for: \(what)" }
}
