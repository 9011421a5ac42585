// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import OffhookNet
import PushKit

/// One launch of a ``PlainCallApp``: everything on the main queue, as in most apps.
final class PlainCallProcess: NSObject {
    let provider: CXProvider
    let controller: CXCallController
    private let registry: PKPushRegistry
    private let app: PlainCallApp

    init(app: PlainCallApp) {
        self.app = app
        let behavior = app.behavior.withLock { $0 }
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = behavior.maximumCallGroups
        configuration.includesCallsInRecents = behavior.includesCallsInRecents
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        provider = CXProvider(configuration: configuration)
        controller = CXCallController(queue: .main)
        registry = PKPushRegistry(queue: .main)
        super.init()
        provider.setDelegate(self, queue: .main)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func report(_ call: UUID, caller: String?, handle: String?) {
        if behavior.configuresBeforeReport { provider.configuration = provider.configuration }
        provider.reportNewIncomingCall(with: call, update: update(caller: caller, handle: handle)) { [app] error in
            guard let error else { return }
            app.heard.withLock { $0.append("report refused: \((error as NSError).code)") }
        }
    }

    private func update(caller: String?, handle: String?) -> CXCallUpdate {
        let update = CXCallUpdate()
        update.localizedCallerName = caller
        update.remoteHandle = handle.map { CXHandle(type: .generic, value: $0) }
        update.supportsHolding = behavior.supportsHolding
        update.supportsGrouping = behavior.supportsHolding
        update.supportsUngrouping = behavior.supportsHolding
        update.supportsDTMF = true
        return update
    }

    private var behavior: PlainCallApp.Behavior { app.behavior.withLock { $0 } }

    private func hear(_ event: String) {
        app.heard.withLock { $0.append(event) }
    }

    private func complete(_ action: CXAction, _ completion: PlainCallApp.Behavior.Completion) {
        switch completion {
        case .fulfill: action.fulfill()
        case .fail: action.fail()
        case .never: break
        }
    }
}

// Everything in it is made once; provider, controller and registry may be used from any thread, and the app has locks.
extension PlainCallProcess: @unchecked Sendable {}

extension PlainCallProcess: PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        hear("token")
    }

    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        hear("token invalidated")
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        hear("push")
        receive(payload)
        completion()
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping () -> Void
    ) {
        hear(metadata.mustReport ? "push" : "push, no report needed")
        receive(payload)
        completion()
    }

    private func receive(_ payload: PKPushPayload) {
        let fields = payload.dictionaryPayload
        let call = (fields["call"] as? String).flatMap(UUID.init(uuidString:)) ?? UUID()
        let (caller, handle) = (fields["caller"] as? String, fields["handle"] as? String)
        switch behavior.report {
        case .inCallback: report(call, caller: caller, handle: handle)
        case .inTask: Task { [self] in report(call, caller: caller, handle: handle) }
        case .never: break
        }
    }
}

extension PlainCallProcess: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        hear("reset")
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        hear("start")
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat)
        provider.reportCall(with: action.callUUID, updated: update(caller: nil, handle: nil))
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
        complete(action, behavior.others)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        hear("answer")
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat)
        complete(action, behavior.answer)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        hear("end")
        complete(action, behavior.end)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        hear(action.isOnHold ? "hold" : "resume")
        complete(action, behavior.others)
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        hear(action.isMuted ? "mute" : "unmute")
        complete(action, behavior.others)
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        hear(action.callUUIDToGroupWith == nil ? "leave group" : "join group")
        complete(action, behavior.others)
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        hear("tone \(action.digits)")
        complete(action, behavior.others)
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        hear("timed out")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        hear("didActivate")
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        hear("didDeactivate")
    }
}
