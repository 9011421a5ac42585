// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import AVFAudio
    import CallKit
    import Dispatch
    import Foundation
    import OffhookCore
    import PushKit

    /// CallKit, PushKit and the audio session as the engine uses them; bound to the engine queue.
    ///
    /// One provider, one registry and one controller, made at launch and kept (R15, R54).
    final class CallKitSystem: NSObject {
        private let queue: DispatchQueue
        private let queueKey = DispatchSpecificKey<Bool>()
        private let provider: CXProvider
        private let registry: PKPushRegistry
        private let controller: CXCallController
        private let options: CallCenter.ProviderOptions
        private weak var receiver: (any PhoneReceiver)?
        /// The actions that are not completed yet.
        private var actions: [ActionID: CXAction] = [:]
        /// The pushes that are not completed yet.
        private var pushes: [PushID: @Sendable () -> Void] = [:]
        private var pushCount = 0
        /// Whom the outgoing calls are with, for the update that CallKit takes once it knows them (O4).
        private var outgoing: [CallID: CallDetails] = [:]

        init(options: CallCenter.ProviderOptions, queue: DispatchQueue) {
            self.options = options
            self.queue = queue
            provider = CXProvider(configuration: CXProviderConfiguration(options))
            registry = PKPushRegistry(queue: queue)
            controller = CXCallController(queue: queue)
            super.init()
            queue.setSpecific(key: queueKey, value: true)
        }

        /// Runs work on the engine queue: at once when already there, as CallKit promises (I1).
        private func enter(_ work: @escaping @Sendable () -> Void) {
            if DispatchQueue.getSpecific(key: queueKey) == true { work() } else { queue.async(execute: work) }
        }

        private func take(_ action: CXAction) -> ActionID {
            let id = ActionID(action.uuid)
            actions[id] = action
            return id
        }
    }

    // Bound to the engine queue, which CallKit and PushKit call it on.
    extension CallKitSystem: @unchecked Sendable {}

    extension CallKitSystem: PhoneSystem {
        func begin(_ receiver: any PhoneReceiver) {
            self.receiver = receiver
            provider.setDelegate(self, queue: queue)  // P26: before anything can be reported
            registry.delegate = self  // K1: before the push types
            registry.desiredPushTypes = [.voIP]
        }

        func invalidate() {
            receiver = nil
            registry.delegate = nil
            provider.setDelegate(nil, queue: nil)
            provider.invalidate()  // P3
            actions = [:]
            for completion in pushes.values { completion() }  // R57: whatever becomes of the app
            pushes = [:]
        }

        func reportIncoming(_ call: CallID, _ details: CallDetails) {
            var shown = details
            if details == PushLedger.unknownCaller { shown.displayName = options.unknownCaller }
            provider.reportNewIncomingCall(with: call.uuid, update: CXCallUpdate(shown)) { [weak self] error in
                let failure = error.map { CallFailure(report: $0) }
                self?.enter { [weak self] in self?.receiver?.receive(.reportCompleted(call, failure)) }
            }
        }

        func reportEnded(_ call: CallID, _ reason: EndReason, at instant: Instant) {
            outgoing[call] = nil
            provider.reportCall(with: call.uuid, endedAt: instant.date, reason: reason.callKitReason)
        }

        func reportStartedConnecting(_ call: CallID, at instant: Instant) {
            if let details = outgoing.removeValue(forKey: call) {
                provider.reportCall(with: call.uuid, updated: CXCallUpdate(details))  // O4
            }
            provider.reportOutgoingCall(with: call.uuid, startedConnectingAt: instant.date)
        }

        func reportConnected(_ call: CallID, at instant: Instant) {
            provider.reportOutgoingCall(with: call.uuid, connectedAt: instant.date)
        }

        func request(_ request: CallRequest) {
            let action: CXAction
            switch request {
            case .start(let call, let details):
                outgoing[call] = details
                let start = CXStartCallAction(call: call.uuid, handle: CXHandle(details.handle))
                start.isVideo = details.video
                action = start
            case .answer(let call): action = CXAnswerCallAction(call: call.uuid)
            case .end(let call): action = CXEndCallAction(call: call.uuid)
            case .setHeld(let call, let held): action = CXSetHeldCallAction(call: call.uuid, onHold: held)
            case .setMuted(let call, let muted): action = CXSetMutedCallAction(call: call.uuid, muted: muted)
            }
            controller.request(CXTransaction(action: action)) { [weak self] error in
                let failure = error.map { CallFailure(request: $0) }
                self?.enter { [weak self] in self?.receiver?.receive(.requestCompleted(request, failure)) }
            }
        }

        func fulfil(_ action: ActionID) {
            actions.removeValue(forKey: action)?.fulfill()
        }

        func fail(_ action: ActionID) {
            actions.removeValue(forKey: action)?.fail()
        }

        func configureAudio() throws {
            try AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat, options: [])  // R69
        }

        func completePush(_ push: PushID) {
            pushes.removeValue(forKey: push)?()
        }
    }

    extension CallKitSystem: CXProviderDelegate {
        func providerDidReset(_ provider: CXProvider) {
            actions = [:]
            outgoing = [:]
            receiver?.receive(.providerReset)
        }

        func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
            receiver?.receive(.startPerformed(take(action), CallID(action.callUUID)))
        }

        func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
            receiver?.receive(.answerPerformed(take(action), CallID(action.callUUID)))
        }

        func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
            receiver?.receive(.endPerformed(take(action), CallID(action.callUUID)))
        }

        func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
            receiver?.receive(.holdPerformed(take(action), CallID(action.callUUID), action.isOnHold))
        }

        func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
            receiver?.receive(.mutePerformed(take(action), CallID(action.callUUID), action.isMuted))
        }

        func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
            receiver?.receive(.otherPerformed(take(action)))
        }

        func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
            receiver?.receive(.otherPerformed(take(action)))  // P54: fails loudly
        }

        func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
            let id = ActionID(action.uuid)
            actions[id] = nil  // T8: failed already
            receiver?.receive(.actionTimedOut(id))
        }

        func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
            receiver?.receive(.audioActivated)
        }

        func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
            receiver?.receive(.audioDeactivated)
        }
    }

    extension CallKitSystem: PKPushRegistryDelegate {
        func pushRegistry(
            _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
        ) {
            guard type == .voIP else { return }
            receiver?.receiveToken(pushCredentials.token.hexadecimal)
        }

        func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
            guard type == .voIP else { return }
            receiver?.receiveToken(nil)
        }

        func pushRegistry(
            _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
            completion: @escaping @Sendable () -> Void
        ) {
            guard type == .voIP else { return completion() }
            take(payload, mustReport: true, completion)
        }

        // R56, P10: the method exists from the SDK of iOS 26.4 on.
        #if !canImport(Darwin) || compiler(>=6.3)
            @available(iOS 26.4, *)
            func pushRegistry(
                _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
                metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
            ) {
                take(payload, mustReport: metadata.mustReport, completion)
            }
        #endif

        /// Everything happens before this returns: the decision, the report, the start of the connection (K3).
        private func take(_ payload: PKPushPayload, mustReport: Bool, _ completion: @escaping @Sendable () -> Void) {
            guard let receiver else { return completion() }
            pushCount += 1
            let push = PushID(pushCount)
            pushes[push] = completion
            receiver.receivePush(push, payload: payload.json, mustReport: mustReport)
        }
    }
#endif
