// SPDX-License-Identifier: MIT

import Dispatch

extension Engine {
    /// The phone's frameworks; nil where there are none.
    static func phone(_ configuration: CallCenter.Configuration, _ queue: DispatchQueue) -> (any PhoneSystem)? {
        #if canImport(CallKit) && !os(macOS)
            CallKitSystem(options: configuration.provider, queue: queue)
        #else
            nil
        #endif
    }
}
