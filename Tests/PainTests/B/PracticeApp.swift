// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import OffhookNet
import PushKit
import VirtualPhone

/// A calling app as many are written: one object, everything on the main queue, a voice engine of its own.
///
/// It does all things right. A subclass makes one of the mistakes of practice, in the method where it was made.
class PracticeApp: NSObject {
    let diary: Diary
    let provider: CXProvider
    let controller = CXCallController(queue: .main)
    /// The voice engine.
    let voice = SoundIO()
    private let registry = PKPushRegistry(queue: .main)

    init(_ diary: Diary) {
        self.diary = diary
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = true
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: .main)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    // MARK: - What the app's server and its buttons do

    func received(_ push: [AnyHashable: Any]) {
        report(UUID(), hasVideo: push["video"] as? Bool ?? false)
    }

    func report(_ call: UUID, hasVideo: Bool = false) {
        let update = update
        update.hasVideo = hasVideo
        provider.reportNewIncomingCall(with: call, update: update) { [diary] error in
            if let error { diary.note("report refused: \((error as NSError).code)") }
        }
    }

    func call(_ call: UUID, _ handle: String) {
        request(CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: handle)))
    }

    func setMuted(_ isMuted: Bool, _ call: UUID) {
        request(CXSetMutedCallAction(call: call, muted: isMuted))
    }

    func remoteAnswered(_ call: UUID) {
        provider.reportOutgoingCall(with: call, connectedAt: nil)
    }

    func remoteEnded(_ call: UUID) {
        provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
    }

    func request(_ action: CXAction) {
        controller.request(CXTransaction(action: action)) { [diary] error in
            if let error { diary.note("request refused: \((error as NSError).code)") }
        }
    }

    var update: CXCallUpdate {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: "alice")
        update.localizedCallerName = "Alice"
        update.supportsHolding = true
        update.supportsGrouping = true
        update.supportsUngrouping = true
        update.supportsDTMF = true
        return update
    }

    // MARK: - The voice

    /// The app's audio session.
    var session: AVAudioSession { AVAudioSession.sharedInstance() }

    func configureSession() {
        try? session.setCategory(.playAndRecord, mode: .voiceChat)
    }

    func startVoice() {
        do {
            try voice.start()
            diary.note("voice runs")
        } catch {
            diary.note("voice refused: \(error.code)")
        }
    }

    /// What apps do that think the session is theirs.
    func activateSession(_ isActive: Bool) {
        do {
            try session.setActive(isActive)
        } catch {
            diary.note("setActive refused: \((error as NSError).code)")
        }
    }

    // MARK: - CallKit

    func start(_ action: CXStartCallAction) {
        configureSession()
        provider.reportCall(with: action.callUUID, updated: update)
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
        action.fulfill()
    }

    func answer(_ action: CXAnswerCallAction) {
        configureSession()
        action.fulfill()
    }

    func end(_ action: CXEndCallAction) {
        action.fulfill()
    }

    func mute(_ action: CXSetMutedCallAction) {
        action.fulfill()
    }

    func sessionActivated() {
        startVoice()
    }

    func sessionDeactivated() {
        voice.stop()
    }
}

extension PracticeApp: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        voice.stop()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        diary.note("start")
        start(action)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        diary.note("answer")
        answer(action)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        diary.note("end")
        end(action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        diary.note(action.isOnHold ? "hold" : "unhold")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        diary.note(action.isMuted ? "mute" : "unmute")
        mute(action)
    }

    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        diary.note(action.callUUIDToGroupWith == nil ? "leave" : "join")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        diary.note("timed out")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        diary.note("didActivate")
        sessionActivated()
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        diary.note("didDeactivate")
        sessionDeactivated()
    }
}

extension PracticeApp: PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        received(payload.dictionaryPayload)
        completion()
    }
}

/// What an app wrote down, in order.
final class Diary: Sendable {
    private let lines = Guarded<[String]>([])

    func note(_ line: String) {
        lines.withLock { $0.append(line) }
    }

    var all: [String] { lines.withLock { $0 } }

    /// The lines of these kinds.
    func only(_ kinds: String...) -> [String] {
        all.filter { line in kinds.contains { line.hasPrefix($0) } }
    }

    func forget() {
        lines.withLock { $0 = [] }
    }
}
