// SPDX-License-Identifier: MIT

extension VirtualPhone {
    /// The process of an app; nil when it does not run.
    ///
    /// For tests whose own code stands for the app's, when several phones or apps run: what `process.run { }` makes and
    /// asks of the frameworks is the app's.
    public func process(of bundle: String) -> AppProcess? {
        state.withLock { state in
            state.core.apps[bundle]?.process.flatMap { state.processes[$0] as? AppProcess }
        }
    }
}
