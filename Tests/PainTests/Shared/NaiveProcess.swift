// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import OffhookNet
import PushKit
import VirtualPhone

/// One launch of a ``NaiveApp``: everything on the main queue, as in most apps.
final class NaiveProcess: NSObject {
    let app: NaiveApp
    /// Guards the three below.
    private let lock = NSLock()
    private var current: CXProvider
    private var waiting: [CXAnswerCallAction] = []
    /// The calls whose report is on its way, and with which reason one of them ended meanwhile.
    private var reports: [UUID: CXCallEndedReason?] = [:]
    private let controller = CXCallController(queue: .main)
    private let registry: PKPushRegistry?
    private let pushes: any NaivePushes
    /// What a library in the app made (P15).
    private let library: (provider: CXProvider, delegate: NaiveLibrary)?

    init(app: NaiveApp, reason: LaunchReason) {
        self.app = app
        let provider = CXProvider(configuration: NaiveProcess.configuration(app))
        current = provider
        let isViewShown = reason == .userOpened
        registry = app.has(.registersInViewController) && !isViewShown ? nil : PKPushRegistry(queue: .main)
        pushes = app.has(.hasOnlyNewPushMethod) ? NaiveNewPushes() : NaiveBothPushes()
        if app.has(.hasSecondProvider) {
            let library = (CXProvider(configuration: NaiveProcess.configuration(app)), NaiveLibrary(app))
            library.0.setDelegate(library.1, queue: .main)
            self.library = library
        } else {
            library = nil
        }
        super.init()
        if isViewShown { app.storeData() }
        if !app.has(.setsDelegateAfterReport) { provider.setDelegate(self, queue: .main) }
        pushes.process = self
        registry?.delegate = pushes
        registry?.desiredPushTypes = [.voIP]
    }

    var provider: CXProvider { lock.withLock { current } }

    private static func configuration(_ app: NaiveApp) -> CXProviderConfiguration {
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = app.maximumCallGroups
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        return configuration
    }

    // MARK: - Pushes

    func receive(_ payload: PKPushPayload, completion: @escaping @Sendable () -> Void) {
        app.hear("push")
        if app.has(.exitsWithoutData), !app.canReadData {
            // exit(0): the process is gone before anything else happens.
            return app.phone.faults.crash(app.bundle)
        }
        let fields = payload.dictionaryPayload
        guard let call = (fields["call"] as? String).flatMap(UUID.init(uuidString:)),
            let caller = fields["caller"] as? String
        else {
            return app.has(.dropsUnreadablePushes) ? completion() : reportAndEnd(.failed, completion)
        }
        if fields["type"] as? String == "cancel" {
            if app.has(.endsOnCancelPush) {
                provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
                return completion()
            }
            return reportAndEnd(.remoteEnded, completion)
        }
        if let expires = fields["expires"] as? Double, !app.has(.ignoresExpiry),
            expires < app.phone.now.timeIntervalSinceReferenceDate
        {
            return app.has(.dropsExpiredPushes) ? completion() : reportAndEnd(.unanswered, completion)
        }
        if app.has(.dropsPushesInRoom), app.state.withLock({ $0.isInRoom }) { return completion() }
        if app.has(.dropsPushesDuringCalls), !controller.callObserver.calls.isEmpty { return completion() }
        let conversation = (fields["conversation"] as? String).flatMap(UUID.init(uuidString:))
        report(identity(of: call, in: conversation), caller: caller, completion)
    }

    private func identity(of call: UUID, in conversation: UUID?) -> UUID {
        if app.has(.inventsIdentity) { return UUID() }
        if app.has(.reusesConversation), let conversation { return conversation }
        return call
    }

    /// What a push asks for that must not ring: a call that is over at once.
    private func reportAndEnd(_ reason: CXCallEndedReason, _ completion: @escaping @Sendable () -> Void) {
        let call = UUID()
        provider.reportNewIncomingCall(with: call, update: CXCallUpdate()) { [self] error in
            if error == nil { provider.reportCall(with: call, endedAt: nil, reason: reason) }
            completion()
        }
    }

    /// Reports a call that rings.
    func report(_ call: UUID, caller: String, _ completion: @escaping @Sendable () -> Void = {}) {
        if app.has(.replacesProvider) { replaceProvider() }
        if app.has(.opensMediaBeforeReport) { openMedia(call) }
        let update = CXCallUpdate()
        update.localizedCallerName = caller
        update.remoteHandle = CXHandle(type: .generic, value: caller)
        update.supportsHolding = true
        lock.withLock { reports[call] = .some(nil) }
        provider.reportNewIncomingCall(with: call, update: update) { [self] error in
            let end = lock.withLock { reports.removeValue(forKey: call) ?? nil }
            if let end { provider.reportCall(with: call, endedAt: nil, reason: end) }
            if let error {
                app.hear("report refused: \((error as NSError).code)")
                if !app.has(.completesOnSuccessOnly) { completion() }
                return
            }
            if app.has(.endsWithoutData), !app.canReadData {
                provider.reportCall(with: call, endedAt: nil, reason: .failed)
            }
            completion()
        }
        if app.has(.setsDelegateAfterReport) { provider.setDelegate(self, queue: .main) }
    }

    private func replaceProvider() {
        let provider = CXProvider(configuration: NaiveProcess.configuration(app))
        provider.setDelegate(self, queue: .main)
        let old = self.provider
        lock.withLock { current = provider }
        old.invalidate()
    }

    // MARK: - Over the connection

    func offered(_ call: UUID, caller: String) {
        if app.has(.dropsCallsWhenBusy), !controller.callObserver.calls.isEmpty {
            return app.send("busy \(call)")
        }
        report(call, caller: caller)
    }

    func remoteEnded(_ call: UUID, reason: CXCallEndedReason) {
        closeMedia(call)
        if app.has(.forgetsRemoteEnd) { return }
        if app.has(.requestsRemoteEnd) { return requestEnd(call) }
        let isEarly = lock.withLock {
            guard reports.keys.contains(call) else { return false }
            reports[call] = reason
            return true
        }
        if isEarly { return }
        provider.reportCall(with: call, endedAt: nil, reason: reason)
    }

    func requestEnd(_ call: UUID) {
        request(CXEndCallAction(call: call))
        if app.has(.endsTwice) { request(CXEndCallAction(call: call)) }
    }

    func request(_ action: CXAction) {
        controller.request(CXTransaction(action: action)) { [app] error in
            if let error { app.hear("request refused: \((error as NSError).code)") }
        }
    }

    /// The host is there: it lets the answers that waited for it be fulfilled.
    func hostCameUp() {
        let actions = lock.withLock { waiting }
        lock.withLock { waiting = [] }
        for action in actions { action.fulfill() }
    }

    // MARK: - Media

    func openMedia(_ call: UUID) {
        app.state.withLock { _ = $0.media.insert(call) }
    }

    func closeMedia(_ call: UUID) {
        app.state.withLock { _ = $0.media.remove(call) }
    }
}

// What is changed after the start is behind `lock`; CallKit's objects may be used from any thread.
extension NaiveProcess: @unchecked Sendable {}

extension NaiveProcess: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        app.hear("reset")
        app.state.withLock { $0.media = [] }
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        app.hear("start")
        setCategory()
        provider.reportOutgoingCall(with: action.callUUID, startedConnectingAt: nil)
        app.send("invite \(action.callUUID)")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        app.hear("answer")
        setCategory()
        app.send("answer \(action.callUUID)")
        if app.has(.fulfillsThroughHost), !app.isHostUp { return lock.withLock { waiting.append(action) } }
        openMedia(action.callUUID)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        app.hear("end")
        closeMedia(action.callUUID)
        app.send("end \(action.callUUID)")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        app.hear(action.isOnHold ? "hold" : "resume")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        app.hear(action.isMuted ? "mute" : "unmute")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) { app.hear("timed out") }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { app.hear("didActivate") }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { app.hear("didDeactivate") }

    private func setCategory() {
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat)
    }
}
