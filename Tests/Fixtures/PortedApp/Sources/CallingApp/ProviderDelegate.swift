// SPDX-License-Identifier: MIT

import AVFoundation
import CallKit
import Intents
import UIKit
import UserNotifications
import os

@MainActor
final class ProviderDelegate: NSObject {
    private let logger = Logger(subsystem: "com.example.calling", category: "calls")
    private let provider: CXProvider
    private let controller = CXCallController()
    private let calls: CallStore

    static var configuration: CXProviderConfiguration {
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = true
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = [.phoneNumber, .generic]
        configuration.iconTemplateImageData = UIImage(named: "CallIcon")?.pngData()
        configuration.ringtoneSound = "Ringtone.caf"
        return configuration
    }

    init(calls: CallStore) {
        self.calls = calls
        provider = CXProvider(configuration: ProviderDelegate.configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    func reportIncomingCall(
        uuid: UUID, handle: String, hasVideo: Bool, completion: (@MainActor @Sendable (Error?) -> Void)? = nil
    ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: handle)
        update.hasVideo = hasVideo
        let calls = calls
        let logger = logger
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            DispatchQueue.main.async {
                if let error = error as? CXErrorCodeIncomingCallError, error.code == .filteredByDoNotDisturb {
                    logger.notice("call \(uuid, privacy: .public) filtered by Do Not Disturb")
                } else if let error {
                    logger.error("call from \(handle) not reported: \(error.localizedDescription, privacy: .public)")
                } else {
                    calls.add(Call(uuid: uuid, handle: handle, isOutgoing: false))
                }
                completion?(error)
            }
        }
    }

    func startCall(handle: String, video: Bool) {
        let action = CXStartCallAction(call: UUID(), handle: CXHandle(type: .phoneNumber, value: handle))
        action.isVideo = video
        request(CXTransaction(action: action))
    }

    func end(_ call: Call) {
        request(CXTransaction(action: CXEndCallAction(call: call.uuid)))
    }

    func remoteEnded(_ call: Call, reason: CXCallEndedReason) {
        provider.reportCall(with: call.uuid, endedAt: Date(), reason: reason)
        calls.remove(call.uuid)
        if !call.isOutgoing, call.state == .ringing { notifyMissedCall(from: call.handle) }
    }

    private func request(_ transaction: CXTransaction) {
        let logger = logger
        controller.request(transaction) { error in
            if let error { logger.error("transaction refused: \(error.localizedDescription, privacy: .public)") }
        }
    }

    private func notifyMissedCall(from handle: String) {
        let content = UNMutableNotificationContent()
        content.title = "Missed call"
        content.body = handle
        content.sound = .default
        let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil)
        UNUserNotificationCenter.current().add(request)
    }

    private func donate(_ call: Call) {
        let handle = INPersonHandle(value: call.handle, type: .phoneNumber)
        let person = INPerson(
            personHandle: handle, nameComponents: nil, displayName: nil, image: nil, contactIdentifier: nil,
            customIdentifier: nil)
        let intent = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
            contacts: [person], callCapability: .audioCall)
        INInteraction(intent: intent, response: nil).donate(completion: nil)
    }

    private func configureAudioSession() {
        do {
            try AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat, options: [])
        } catch {
            logger.error("audio session: \(error.localizedDescription, privacy: .public)")
        }
    }
}

// MARK: - CXProviderDelegate

extension ProviderDelegate: @preconcurrency CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        calls.removeAll()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        configureAudioSession()
        let call = Call(uuid: action.callUUID, handle: action.handle.value, isOutgoing: true)
        calls.add(call)
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
        action.fulfill()
        donate(call)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = calls.call(action.callUUID) else { return action.fail() }
        configureAudioSession()
        call.state = .active
        action.fulfill()
        donate(call)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        calls.remove(action.callUUID)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        calls.call(action.callUUID)?.state = action.isOnHold ? .held : .active
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        calls.call(action.callUUID)?.isMuted = action.isMuted
        action.fulfill()
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        logger.debug("audio starts")
        calls.isAudioRunning = true
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        calls.isAudioRunning = false
    }
}
