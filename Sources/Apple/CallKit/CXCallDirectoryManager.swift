// SPDX-License-Identifier: MIT

import Dispatch
public import Foundation
import VirtualPhone

/// The app's way to its Call Directory extensions: loads them, and asks for the user's switch (D6, D8).
///
/// Completions run on a queue of their own.
open class CXCallDirectoryManager: NSObject {
    /// The user's switch for an extension; says nothing of a load (D8).
    public enum EnabledStatus: Int, Sendable {
        /// Not known: see the error.
        case unknown = 0
        /// Off.
        case disabled = 1
        /// On.
        case enabled = 2
    }

    private static let shared = CXCallDirectoryManager()

    /// The manager.
    open class var sharedInstance: CXCallDirectoryManager { shared }

    /// Makes a manager; ``sharedInstance`` is the usual one.
    public override init() {}

    private var process: AppProcess { .required(for: "CXCallDirectoryManager") }

    /// Loads an extension of this app: the phone runs it and stores what it gives.
    ///
    /// - Parameters:
    ///   - identifier: The extension's bundle identifier.
    ///   - completion: Called when the load is over; with nil when it was stored or expired (D5), else with a
    ///     ``CXErrorCodeCallDirectoryManagerError`` or a database error (D6).
    /// - Precondition: A phone runs the app.
    open func reloadExtension(
        withIdentifier identifier: String, completionHandler completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        process.request(on: makeQueue(), completion: { completion?($0) }) { request in
            .directory(.reload(extensionIdentifier: identifier, request: request))
        }
    }

    /// Loads an extension of this app; returns when it was stored, or expired (D5).
    ///
    /// - Throws: ``CXErrorCodeCallDirectoryManagerError``, or a database error (D6).
    open func reloadExtension(withIdentifier identifier: String) async throws {
        try await process.request(on: makeQueue()) { request in
            .directory(.reload(extensionIdentifier: identifier, request: request))
        }
    }

    /// Asks whether the user has an extension of this app switched on (D8).
    ///
    /// The completion is called with ``EnabledStatus/unknown`` and an error when the app has no such extension.
    open func getEnabledStatusForExtension(
        withIdentifier identifier: String,
        completionHandler completion: @escaping @Sendable (CXCallDirectoryManager.EnabledStatus, (any Error)?) -> Void
    ) {
        let process = process
        let id = UUID()
        process.attach(id, queue: makeQueue()) { [weak process] event in
            process?.detach(id)
            guard case .directory(_, .status(let status, let error)) = event else { return }
            completion(EnabledStatus(rawValue: status) ?? .unknown, error?.callKitError)
        }
        process.send(.directory(.enabledStatus(extensionIdentifier: identifier, request: id)))
    }

    /// Asks whether the user has an extension of this app switched on (D8).
    ///
    /// - Throws: ``CXErrorCodeCallDirectoryManagerError/noExtensionFound`` when the app has no such extension.
    open func enabledStatusForExtension(
        withIdentifier identifier: String
    ) async throws -> CXCallDirectoryManager.EnabledStatus {
        // Unsafe alone in that nobody complains about a task that died with its process.
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<EnabledStatus, any Error>) in
            getEnabledStatusForExtension(withIdentifier: identifier) { status, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: status) }
            }
        }
    }

    /// Opens Settings at the list of extensions; from iOS 26 on Settings comes up on its front page (D8).
    open func openSettings(completionHandler completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        process.request(on: makeQueue(), completion: { completion?($0) }) { request in
            .directory(.openSettings(request: request))
        }
    }

    /// Opens Settings at the list of extensions; from iOS 26 on Settings comes up on its front page (D8).
    ///
    /// - Throws: What the phone answers; see ``CXErrorCodeCallDirectoryManagerError``.
    open func openSettings() async throws {
        try await process.request(on: makeQueue()) { request in .directory(.openSettings(request: request)) }
    }

    /// One a request: the manager is shared by all processes of the tests, and a queue belongs to one.
    private func makeQueue() -> DispatchQueue {
        DispatchQueue(label: "CXCallDirectoryManager")
    }
}

// It has no state.
extension CXCallDirectoryManager: @unchecked Sendable {}
