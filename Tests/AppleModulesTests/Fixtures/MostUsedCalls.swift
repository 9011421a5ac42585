// SPDX-License-Identifier: MIT

// What published apps call most of CallKit, PushKit and the audio session, written as they write it. It is checked by
// the compiler in the Swift 5 and the Swift 6 language mode (LanguageModeTests), and never run.
import CallKit
import PushKit

protocol CallProviding: AnyObject {
    func reportNewIncomingCall(
        with UUID: UUID, update: CXCallUpdate, completion: @escaping @Sendable ((any Error)?) -> Void)
    func reportCall(with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason)
    func invalidate()
}
extension CXProvider: CallProviding {}

protocol CallControlling: AnyObject {
    func request(_ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void)
}
extension CXCallController: CallControlling {}

class MockProvider: CXProvider {
    override func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        super.setDelegate(delegate, queue: queue)
    }
    override func invalidate() { super.invalidate() }
}
class MockController: CXCallController {
    override func request(_ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void) {
        completion(nil)
    }
}
class MockAnswer: CXAnswerCallAction {
    override func fulfill() { super.fulfill() }
    override func fail() { super.fail() }
}
class MockUpdate: CXCallUpdate {}
class MockCall: CXCallObserver {
    override var calls: [CXCall] { [] }
}

func startAndTalk() async throws {
    let configuration = CXProviderConfiguration()
    configuration.maximumCallGroups = 1
    configuration.maximumCallsPerCallGroup = 1
    configuration.supportsVideo = true
    configuration.supportedHandleTypes = [.generic, .phoneNumber]
    configuration.ringtoneSound = "ring.caf"
    let provider = CXProvider(configuration: configuration)
    provider.setDelegate(nil, queue: nil)
    provider.setDelegate(nil, queue: .main)

    let update = CXCallUpdate()
    update.remoteHandle = CXHandle(type: .phoneNumber, value: "1")
    update.localizedCallerName = "A"
    update.hasVideo = false
    (update.supportsHolding, update.supportsDTMF) = (true, false)
    (update.supportsGrouping, update.supportsUngrouping) = (false, false)
    let call = UUID()
    provider.reportNewIncomingCall(with: call, update: update) { error in
        if let error = error as? CXErrorCodeIncomingCallError, error.code == .filteredByDoNotDisturb { return }
        if error != nil { return }
    }
    provider.reportNewIncomingCall(with: call, update: update, completion: { _ in })
    try await provider.reportNewIncomingCall(with: call, update: update)
    provider.reportCall(with: call, updated: update)
    provider.reportCall(with: call, endedAt: Date(), reason: .remoteEnded)
    provider.reportCall(with: call, endedAt: nil, reason: .unanswered)
    provider.reportOutgoingCall(with: call, startedConnectingAt: nil)
    provider.reportOutgoingCall(with: call, connectedAt: Date())

    let controller = CXCallController()
    let start = CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "a"))
    start.isVideo = true
    start.contactIdentifier = "a"
    controller.request(CXTransaction(action: start)) { error in
        if let error { print("refused: \(error.localizedDescription)") }
    }
    try await controller.request(CXTransaction(action: CXEndCallAction(call: call)))
    try await controller.requestTransaction(with: [CXSetHeldCallAction(call: call, onHold: true)])
    controller.requestTransaction(with: CXSetMutedCallAction(call: call, muted: true)) { _ in }
    controller.requestTransaction(with: CXPlayDTMFCallAction(call: call, digits: "1", type: .singleTone)) { _ in }
    let transaction = CXTransaction()
    transaction.addAction(CXSetGroupCallAction(call: call, callUUIDToGroupWith: nil))
    for action in transaction.actions where !action.isComplete { action.fail() }
    let isBusy = controller.callObserver.calls.contains { !$0.hasEnded && ($0.isOnHold || $0.hasConnected) }
    print(isBusy, provider.pendingTransactions.count)
    provider.pendingCallActions(of: CXAnswerCallAction.self, withCall: call).forEach { $0.fulfill() }
    provider.invalidate()

    do {
        try await controller.request(CXTransaction(actions: []))
    } catch CXErrorCodeRequestTransactionError.emptyTransaction {
    } catch let error as CXErrorCodeRequestTransactionError where error.code == .maximumCallGroupsReached {
    } catch {
    }
}

class Telephone: NSObject, CXProviderDelegate, PKPushRegistryDelegate, CXCallObserverDelegate {
    let provider = CXProvider(configuration: CXProviderConfiguration())
    let registry = PKPushRegistry(queue: DispatchQueue.main)
    var answered: CXAnswerCallAction?

    override init() {
        super.init()
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func providerDidReset(_ provider: CXProvider) {}
    func providerDidBegin(_ provider: CXProvider) {}
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool { false }
    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
        action.fulfill(withDateStarted: Date())
    }
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        answered = action
        action.fulfill()
    }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill(withDateEnded: Date()) }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        action.isOnHold ? action.fulfill() : action.fail()
    }
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { action.fulfill() }
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) { action.fulfill() }
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        if action.digits.isEmpty || action.type == .hardPause { action.fail() } else { action.fulfill() }
    }
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) { print(action.timeoutDate) }
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        try? audioSession.setCategory(.playAndRecord, mode: .voiceChat, options: [])
    }
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) { print(call.uuid, call.isOutgoing) }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        print(pushCredentials.token.map { String(format: "%02x", $0) }.joined())
    }
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        guard type == .voIP, let id = payload.dictionaryPayload["id"] as? String else { return completion() }
        provider.reportNewIncomingCall(with: UUID(uuidString: id) ?? UUID(), update: CXCallUpdate()) { _ in }
        completion()
    }
}
