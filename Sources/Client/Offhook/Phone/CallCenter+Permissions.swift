// SPDX-License-Identifier: MIT

extension CallCenter {
    /// Asks the user for the microphone, and for the camera when calls have video; what was decided is not asked again.
    ///
    /// Call it while the app is on the screen, before the first call: over the lock screen nobody can be asked (R77).
    ///
    /// - Parameter video: Whether to ask for the camera too.
    /// - Returns: What the user allows then.
    /// - Throws: ``OffhookError``: `notStarted`, `unsupported` where there is no CallKit.
    /// - Rule: R5, R77
    @discardableResult
    public func requestPermissions(video: Bool = false) async throws -> CallPermissions {
        try await engine.requestPermissions(video: video)
    }
}
