// SPDX-License-Identifier: MIT

// An app as many are written: what it imports, how it names things and hands objects around is common practice. It
// must compile as it would with Apple's frameworks, in one language mode with them.
import CallKit
import PushKit

/// What the rest of the app wants from the telephone.
protocol CallReporting: AnyObject {
    func reportCall(with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason)
}
extension CXProvider: CallReporting {}

/// Counts what it reports, as mocks in apps' tests do.
final class CountingProvider: CXProvider {
    private(set) var reports = 0
    override func reportNewIncomingCall(
        with UUID: UUID, update: CXCallUpdate, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        reports += 1
        super.reportNewIncomingCall(with: UUID, update: update, completion: completion)
    }
}

final class CallCenter: NSObject, @unchecked Sendable {
    let provider: CountingProvider
    let controller = CXCallController()
    var onAudio: ((Bool) -> Void)?
    private(set) var events: [String] = []
    private var calls: [UUID: Bool] = [:]

    override init() {
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = true
        configuration.maximumCallGroups = 2
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = [.phoneNumber, .generic]
        configuration.includesCallsInRecents = true
        if let icon = Data(base64Encoded: "AAAA") { configuration.iconTemplateImageData = icon }
        provider = CountingProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
        controller.callObserver.setDelegate(self, queue: nil)
    }

    func incomingCall(_ id: UUID, from caller: String, completion: ((NSError?) -> Void)? = nil) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: caller)
        update.localizedCallerName = caller
        update.hasVideo = false
        update.supportsHolding = true
        provider.reportNewIncomingCall(with: id, update: update) { [weak self] error in
            if let error {
                self?.events.append(CallCenter.describe(error))
            } else {
                self?.calls[id] = true
            }
        }
        completion?(nil)
    }

    func incomingCallAsync(_ id: UUID) async -> String {
        do {
            try await provider.reportNewIncomingCall(with: id, update: CXCallUpdate())
            return "shown"
        } catch CXErrorCodeIncomingCallError.callUUIDAlreadyExists {
            return "known"
        } catch let error as CXErrorCodeIncomingCallError where error.code == .filteredByDoNotDisturb {
            return "do not disturb"
        } catch {
            return error.localizedDescription
        }
    }

    func startCall(_ id: UUID, to number: String) {
        let action = CXStartCallAction(call: id, handle: .init(type: .phoneNumber, value: number))
        action.isVideo = false
        let transaction = CXTransaction(action: action)
        controller.request(transaction) { [weak self] error in
            if let error = error {
                self?.events.append("refused \(error)")
            }
        }
    }

    func end(_ id: UUID) async throws {
        try await controller.requestTransaction(with: CXEndCallAction(call: id))
    }

    func mute(_ id: UUID, _ muted: Bool, completion: @escaping @Sendable ((any Error)?) -> Void) {
        let transaction = CXTransaction()
        transaction.addAction(CXSetMutedCallAction(call: id, muted: muted))
        controller.request(transaction, completion: completion)
    }

    func remoteHungUp(_ id: UUID) {
        (provider as any CallReporting).reportCall(with: id, endedAt: nil, reason: .remoteEnded)
        calls[id] = nil
    }

    static func describe(_ error: any Error) -> String {
        guard let code = (error as? CXErrorCodeIncomingCallError)?.code else { return "other" }
        switch code {
        case .unknown: return "unknown"
        case .unentitled: return "unentitled"
        case .callUUIDAlreadyExists: return "exists"
        case .filteredByDoNotDisturb: return "do not disturb"
        case .filteredByBlockList: return "blocked"
        case .filteredDuringRestrictedSharingMode, .callIsProtected: return "protected"
        case .filteredBySensitiveParticipants: return "sensitive"
        @unknown default: return "new"
        }
    }
}

extension CallCenter: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        calls.removeAll()
        onAudio?(false)
    }

    func providerDidBegin(_ provider: CXProvider) {
        events.append("begin")
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        configureAudio()
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: Date())
        action.fulfill()
        provider.reportOutgoingCall(with: action.callUUID, connectedAt: nil)
        events.append("start \(action.handle.value)")
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard calls[action.callUUID] != nil else {
            action.fail()
            return
        }
        configureAudio()
        action.fulfill()
        events.append("answer")
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        calls[action.callUUID] = nil
        action.fulfill(withDateEnded: Date())
        events.append("end")
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        events.append(action.isMuted ? "mute" : "unmute")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        events.append("timed out")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        events.append("audio on \(audioSession.mode == .voiceChat)")
        onAudio?(true)
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        events.append("audio off")
        onAudio?(false)
    }

    private func configureAudio() {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetoothHFP, .duckOthers])
            try session.setPreferredIOBufferDuration(0.02)
        } catch let error as NSError {
            events.append("audio \(error.domain) \(error.code)")
        }
    }
}

extension CallCenter: CXCallObserverDelegate {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        if call.hasEnded { events.append("observer: ended") }
        if call.hasConnected && !call.hasEnded { events.append("observer: connected") }
    }
}

final class PushCenter: NSObject, PKPushRegistryDelegate {
    let calls = CallCenter()
    private lazy var registry = PKPushRegistry(queue: .main)
    private(set) var token: String?

    override init() {
        super.init()
        registry.delegate = self
        registry.desiredPushTypes = [PKPushType.voIP]
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate credentials: PKPushCredentials, for type: PKPushType) {
        token = credentials.token.map { String(format: "%02.2hhx", $0) }.joined()
    }

    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        token = nil
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        guard type == .voIP else { return completion() }
        received(payload.dictionaryPayload, completion)
    }

    @available(iOS 26.4, *)
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        received(payload.dictionaryPayload, completion)
    }

    private func received(_ payload: [AnyHashable: Any], _ completion: () -> Void) {
        let id = (payload["id"] as? String).flatMap(UUID.init(uuidString:)) ?? UUID()
        calls.incomingCall(id, from: payload["caller"] as? String ?? "Unknown")
        completion()
    }
}
