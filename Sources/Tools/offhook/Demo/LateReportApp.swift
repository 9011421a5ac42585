// SPDX-License-Identifier: MIT

import CallKit
import Dispatch
import Foundation
import PushKit

/// An app with the mistake that kills most calling apps: it reports the call from a task, after the push method returned.
///
/// The code looks right and often works on a phone in the foreground; in the background rule K3 ends the app.
final class LateReportApp: NSObject {
    private let provider: CXProvider
    private let registry: PKPushRegistry

    /// Sets CallKit and PushKit up as at every launch; everything happens on the main queue.
    override init() {
        let configuration = CXProviderConfiguration()
        configuration.supportedHandleTypes = [.generic]
        provider = CXProvider(configuration: configuration)
        registry = PKPushRegistry(queue: .main)
        super.init()
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    private func report(_ name: String) async throws {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: name)
        try await provider.reportNewIncomingCall(with: UUID(), update: update)
    }
}

// All state is set once, before any callback.
extension LateReportApp: @unchecked Sendable {}

extension LateReportApp: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }
}

extension LateReportApp: PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        Task {
            // Too late: the method below has returned when this line runs.
            try? await report("alice")
            completion()
        }
    }
}
