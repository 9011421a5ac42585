// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// A process as the phone's shell sees it: in this process, or a child with its own memory.
protocol RunningProcess: Sendable {
    /// Hands over an event; `finished` is called when its handler returned, or when nobody receives it.
    func deliver(_ event: PhoneEvent, to endpoint: UUID, finished: @escaping @Sendable (Bool) -> Void)
    /// The queues in this process that its code runs on; none for a child.
    var queues: [DispatchQueue] { get }
    /// Ends the process at once.
    func terminate()
}

extension AppProcess: RunningProcess {}
