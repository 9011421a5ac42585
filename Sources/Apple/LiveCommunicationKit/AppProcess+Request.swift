// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

extension AppProcess {
    /// Sends a request whose answer comes later, and waits for the answer.
    ///
    /// The request is made before this waits. Its identifier names a receiver of its own, which lives until the answer.
    /// When the process dies first, the task never goes on, as nothing of a dead process does.
    /// - Throws: An `NSError` of the domain and code that the phone answers with.
    func request(countsInAsyncCallback: Bool = false, _ makeRequest: (UUID) -> AppRequest) async throws {
        // Unsafe alone in that nobody complains about a task that died with its process.
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            let id = UUID()
            attach(id, queue: .main) { [weak self] event in
                self?.detach(id)
                switch event {
                case .reportCompleted(_, let error), .requestCompleted(_, let error): continuation.resume(error)
                default: continuation.resume()
                }
            }
            let reply = send(makeRequest(id), countsInAsyncCallback: countsInAsyncCallback)
            guard case .failure(let error) = reply else { return }
            detach(id)
            continuation.resume(error)
        }
    }
}

extension UnsafeContinuation<Void, any Error> {
    fileprivate func resume(_ error: PhoneError?) {
        guard let error else { return resume() }
        resume(throwing: NSError(domain: error.domain, code: error.code))
    }
}
