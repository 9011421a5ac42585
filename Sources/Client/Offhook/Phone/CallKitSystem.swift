// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import CallKit
    import Dispatch
    import Foundation
    import OffhookCore
    import PushKit

    /// CallKit, PushKit and the audio session as the engine uses them; bound to the engine queue.
    ///
    /// One provider, one registry and one controller, made at launch and kept (R15, R54). What comes from the frameworks
    /// becomes an event of the call rules, and each order of the rules one call of a framework; nothing is decided here.
    final class CallKitSystem: NSObject {
        let queue: DispatchQueue
        private let queueKey = DispatchSpecificKey<Bool>()
        let provider: CXProvider
        let registry: PKPushRegistry
        let controller: CXCallController
        let audio: CallAudioSession
        let surroundings: SurroundingsObserver
        let policy: CallPolicy
        var options: CallCenter.ProviderOptions
        private(set) weak var receiver: (any PhoneReceiver)?
        /// The actions that are not completed yet.
        var actions: [ActionID: CXAction] = [:]
        /// The pushes that are not completed yet.
        var pushes: [PushID: @Sendable () -> Void] = [:]
        var pushCount = 0
        /// Whom the outgoing calls are with, for the update that CallKit takes once it knows them (O4).
        var outgoing: [CallID: CallDetails] = [:]
        /// The languages of the calls that are translated, for the action that ends it.
        var translations: [CallID: Translation] = [:]
        /// The calls of this app, so that the observer's others can be told from them.
        var own: Set<UUID> = []
        /// The calls of other apps and of the phone's own.
        var others: Set<UUID> = []

        init(_ configuration: CallCenter.Configuration, queue: DispatchQueue) {
            policy = configuration.policy
            options = configuration.provider
            self.queue = queue
            provider = CXProvider(configuration: CXProviderConfiguration(options, policy))
            registry = PKPushRegistry(queue: queue)
            controller = CXCallController(queue: queue)
            audio = CallAudioSession(queue: queue)
            surroundings = SurroundingsObserver(queue: queue, session: audio.session)
            super.init()
            queue.setSpecific(key: queueKey, value: true)
        }

        /// Runs work on the engine queue: at once when already there, as CallKit promises (I1).
        func enter(_ work: @escaping @Sendable () -> Void) {
            if DispatchQueue.getSpecific(key: queueKey) == true { work() } else { queue.async(execute: work) }
        }

        func begin(_ receiver: any PhoneReceiver) {
            self.receiver = receiver
            provider.setDelegate(self, queue: queue)  // P26: before anything can be reported
            registry.delegate = self  // K1: before the push types
            registry.desiredPushTypes = [.voIP]
            surroundings.begin(receiver)
            audio.hasReceiver = surroundings.isPhone
            audio.begin(receiver)
            beginObserving()
        }

        func invalidate() {
            receiver = nil
            registry.delegate = nil
            controller.callObserver.setDelegate(nil, queue: nil)
            provider.setDelegate(nil, queue: nil)
            provider.invalidate()  // P3
            audio.end()
            surroundings.end()
            actions = [:]
            for completion in pushes.values { completion() }  // R57: whatever becomes of the app
            pushes = [:]
        }

        /// Changes what can change while calls go on; the maxima stay those that the call rules were made with.
        func change(_ options: CallCenter.ProviderOptions) {
            self.options = options
            provider.configuration = CXProviderConfiguration(options, policy)
        }
    }

    // Bound to the engine queue, which CallKit and PushKit call it on.
    extension CallKitSystem: @unchecked Sendable {}

    extension CallKitSystem: PhoneSystem {
        func configureAudio() throws {
            try audio.configure()
        }

        func selectRoute(_ route: AudioRoute.ID) throws {
            try audio.select(route)
        }

        func donate(_ call: CallID, _ details: CallDetails, _ direction: Call.Direction) {
            Donation(call, details, direction).donate()
        }

        func requestPermissions(video: Bool, _ done: @escaping @Sendable (CallPermissions) -> Void) {
            surroundings.requestPermissions(video: video, done)
        }

        /// Calls come by PushKit here.
        func receiveNotification(_ payload: [UInt8]) -> Bool { false }
    }
#endif
