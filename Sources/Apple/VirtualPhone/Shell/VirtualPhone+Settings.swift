// SPDX-License-Identifier: MIT

extension VirtualPhone {
    /// Changes settings of the running phone.
    public func change(_ body: @Sendable (inout PhoneSettings) -> Void) {
        var settings = state.withLock { $0.core.settings }
        body(&settings)
        state.withLock { $0.core.settings = settings }
        handle(.tick)
    }
}
