// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import PushKit
import VirtualPhone

/// A place in an app where the phone, or one of Apple's frameworks, calls it.
enum Callback: String, CaseIterable, Sendable {
    case launch, begin, reset, execute, start, answer, end, hold, mute, group, tones, timedOut, activate, deactivate
    case callChanged, token, push, reported, requested
}

/// An app with every callback there is, each of which first does what a test wants.
final class AbusedApp: NSObject, @unchecked Sendable {
    // Everything is constant but what has a lock.
    static let bundle = "abused.app"

    /// Outlives the processes: what the callbacks do, and which were reached.
    final class Script: Sendable {
        private let seen = Locked<[Callback: Int]>([:])
        let newest = Locked<AbusedApp?>(nil)
        let does: @Sendable (Callback, AbusedApp) -> Void

        init(_ does: @escaping @Sendable (Callback, AbusedApp) -> Void) {
            self.does = does
        }

        func reached(_ callback: Callback, _ app: AbusedApp) {
            seen.withLock { $0[callback, default: 0] += 1 }
            does(callback, app)
        }

        func count(_ callback: Callback) -> Int { seen.withLock { $0[callback] ?? 0 } }
    }

    let script: Script
    let process: AppProcess
    let queue: DispatchQueue
    let provider: CXProvider
    let controller: CXCallController
    let registry: PKPushRegistry
    /// The call that pushes are about.
    let call = UUID()

    init(script: Script, process: AppProcess, queue: DispatchQueue) {
        self.script = script
        self.process = process
        self.queue = queue
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = 4
        configuration.maximumCallsPerCallGroup = 4
        provider = CXProvider(configuration: configuration)
        controller = CXCallController(queue: queue)
        registry = PKPushRegistry(queue: queue)
        super.init()
        provider.setDelegate(self, queue: queue)
        controller.callObserver.setDelegate(self, queue: queue)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        script.newest.withLock { $0 = self }
        script.reached(.launch, self)
    }

    static func phone(
        settings: PhoneSettings = PhoneSettings(), clock: VirtualPhone.ClockMode = .virtual, script: Script,
        queue: @escaping @Sendable () -> DispatchQueue = { DispatchQueue(label: "abused") }
    ) -> VirtualPhone {
        let phone = VirtualPhone(.init(clock: clock, settings: settings, locked: false, seed: 11))
        phone.install(
            App(bundleIdentifier: bundle, displayName: "Abused") { _ in
                guard let process = AppProcess.current else { return NSObject() }
                return AbusedApp(script: script, process: process, queue: queue())
            })
        return phone
    }

    func report(_ call: UUID) {
        let update = CXCallUpdate()
        update.supportsHolding = true
        update.supportsGrouping = true
        update.supportsDTMF = true
        provider.reportNewIncomingCall(with: call, update: update) { [weak self] _ in
            if let self { script.reached(.reported, self) }
        }
    }

    func request(_ action: CXAction) {
        controller.request(CXTransaction(action: action)) { [weak self] _ in
            if let self { script.reached(.requested, self) }
        }
    }
}

extension AbusedApp: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) { script.reached(.reset, self) }
    func providerDidBegin(_ provider: CXProvider) { script.reached(.begin, self) }
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        script.reached(.execute, self)
        return false
    }
    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        script.reached(.start, self)
        action.fulfill()
        provider.reportOutgoingCall(with: action.callUUID, connectedAt: nil)
    }
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { complete(action, .answer) }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { complete(action, .end) }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { complete(action, .hold) }
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { complete(action, .mute) }
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) { complete(action, .group) }
    /// Never completed, so that something times out.
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) { script.reached(.tones, self) }
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) { script.reached(.timedOut, self) }
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { script.reached(.activate, self) }
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        script.reached(.deactivate, self)
    }

    private func complete(_ action: CXAction, _ callback: Callback) {
        script.reached(callback, self)
        action.fulfill()
    }
}

extension AbusedApp: CXCallObserverDelegate, PKPushRegistryDelegate {
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) { script.reached(.callChanged, self) }
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        script.reached(.token, self)
    }
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        report(call)
        script.reached(.push, self)
        completion()
    }
}
