// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import PushKit

/// The push registry's delegate of a ``NaiveApp``.
protocol NaivePushes: PKPushRegistryDelegate {
    var process: NaiveProcess? { get set }
}

/// The methods of both kinds of systems (P10).
final class NaiveBothPushes: NSObject, NaivePushes {
    weak var process: NaiveProcess?

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        process?.app.hear("token")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        process?.receive(payload, completion: completion)
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        process?.receive(payload, completion: completion)
    }
}

/// The method of iOS 26.4 alone (P10).
final class NaiveNewPushes: NSObject, NaivePushes {
    weak var process: NaiveProcess?

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        process?.app.hear("token")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        process?.receive(payload, completion: completion)
    }
}

/// The delegate of a provider that a library in the app made: it knows nothing of the app's calls (P15).
final class NaiveLibrary: NSObject, CXProviderDelegate {
    private let app: NaiveApp

    init(_ app: NaiveApp) {
        self.app = app
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        app.hear("the library's start")
        action.fail()
    }
}

// It has nothing but a constant.
extension NaiveLibrary: @unchecked Sendable {}
