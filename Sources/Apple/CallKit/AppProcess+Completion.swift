// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

extension AppProcess {
    /// Sends a request whose answer comes later, and calls the completion with it, once, on a queue.
    ///
    /// The request's identifier names a receiver of its own, which lives until the answer. A dead process hears nothing.
    func request(
        on queue: DispatchQueue, completion: @escaping @Sendable ((any Error)?) -> Void,
        _ makeRequest: (UUID) -> AppRequest
    ) {
        let id = UUID.fresh()
        attach(id, queue: queue) { [weak self] event in
            self?.detach(id)
            switch event {
            case .reportCompleted(_, let error), .requestCompleted(_, let error),
                .directory(_, .completed(let error)):
                completion(error?.callKitError)
            default: break
            }
        }
        guard case .failure(let error) = send(makeRequest(id)) else { return }
        detach(id)
        queue.async { self.run { completion(error.callKitError) } }
    }

    /// The same for a task.
    ///
    /// When the process dies first, the task never goes on, as nothing of a dead process does.
    nonisolated(nonsending) func request(on queue: DispatchQueue, _ makeRequest: (UUID) -> AppRequest) async throws {
        // Unsafe alone in that nobody complains about a task that died with its process.
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            request(
                on: queue,
                completion: { error in
                    if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                }, makeRequest)
        }
    }
}
