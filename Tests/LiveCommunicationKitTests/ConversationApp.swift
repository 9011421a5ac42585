// SPDX-License-Identifier: MIT

import Foundation
import LiveCommunicationKit
import PushKit
import VirtualPhone

/// How the test's app behaves, and what it saw; outlives the app's processes.
final class AppProbe: Sendable {
    enum Completion: Sendable {
        case fulfill, fail, never, twice
    }
    enum PushForm: Sendable {
        /// In the method with a completion handler: a task that starts at once, which Swift 6.2 has.
        case immediateTask
        /// In the method with a completion handler: an ordinary task.
        case task
        /// Not at all.
        case none
    }
    struct State: Sendable {
        var completes: [String: Completion] = [:]
        var pushForm = PushForm.immediateTask
        var events: [String] = []
        var app: ConversationApp?
        var performed: [ConversationAction] = []
        var fulfilledDates = true
        var reportError: String?
    }
    let state: Locked<State>

    init(_ state: State = State()) {
        self.state = Locked(state)
    }

    var events: [String] { state.withLock { $0.events } }
    func note(_ event: String) { state.withLock { $0.events.append(event) } }
    func forget() { state.withLock { $0.events = [] } }
    var app: ConversationApp? { state.withLock { $0.app } }
    var performed: [ConversationAction] { state.withLock { $0.performed } }
}

/// A calling app written against LiveCommunicationKit.
final class ConversationApp: NSObject, @unchecked Sendable {
    let process: AppProcess
    let manager: ConversationManager
    let registry: PKPushRegistry
    let probe: AppProbe

    static let configuration = ConversationManager.Configuration(
        ringtoneName: nil, iconTemplateImageData: nil, maximumConversationGroups: 2,
        maximumConversationsPerConversationGroup: 2, includesConversationInRecents: true, supportsVideo: true,
        supportedHandleTypes: [.generic, .phoneNumber], supportsAudioTranslation: true)

    init(process: AppProcess, probe: AppProbe) {
        self.process = process
        self.probe = probe
        manager = ConversationManager(configuration: Self.configuration)
        registry = PKPushRegistry(queue: nil)
        super.init()
        manager.delegate = self
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
        probe.state.withLock { $0.app = self }
    }

    func conversation(_ uuid: UUID) -> Conversation? {
        manager.conversations.first { $0.uuid == uuid }
    }

    func report(_ event: Conversation.Event, _ uuid: UUID) {
        guard let conversation = conversation(uuid) else { return }
        manager.reportConversationEvent(event, for: conversation)
    }

    /// Asks for actions, which are made in this process, so that their deadlines are in its phone's time (T6).
    func perform(_ make: () -> [ConversationAction]) async throws {
        try await manager.perform(process.run(make))
    }
}

extension ConversationApp: ConversationManagerDelegate {
    func conversationManagerDidBegin(_ manager: ConversationManager) { probe.note("begin") }
    func conversationManagerDidReset(_ manager: ConversationManager) { probe.note("reset") }
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {
        probe.note("changed \(conversation.state)")
    }
    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {
        probe.note("timed out \(Self.name(of: action)) \(action.state)")
    }
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {
        probe.note("didActivate")
    }
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {
        probe.note("didDeactivate")
    }
    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        probe.note("perform \(Self.name(of: action)) \(action.state)")
        probe.state.withLock { $0.performed.append(action) }
        switch probe.state.withLock({ $0.completes[Self.name(of: action)] }) ?? .fulfill {
        case .fulfill: fulfill(action)
        case .fail: action.fail()
        case .never: break
        case .twice:
            fulfill(action)
            action.fulfill()
            action.fail()
        }
    }

    private func fulfill(_ action: ConversationAction) {
        let now = process.now
        switch action {
        case let action as JoinConversationAction:
            report(.conversationStartedConnecting(now), action.conversationUUID)
            report(.conversationConnected(now), action.conversationUUID)
            action.fulfill(dateConnected: now)
        case let action as StartConversationAction:
            report(.conversationStartedConnecting(now), action.conversationUUID)
            action.fulfill(dateStarted: now)
        case let action as EndConversationAction: action.fulfill(dateEnded: now)
        case let action as SetTranslatingAction: action.fulfill(using: .custom)
        default: action.fulfill()
        }
    }

    static func name(of action: ConversationAction) -> String {
        switch action {
        case is StartConversationAction: return "start"
        case is JoinConversationAction: return "join"
        case is EndConversationAction: return "end"
        case let action as PauseConversationAction: return action.isPaused ? "pause" : "resume"
        case let action as MuteConversationAction: return action.isMuted ? "mute" : "unmute"
        case is MergeConversationAction: return "merge"
        case is UnmergeConversationAction: return "unmerge"
        case let action as PlayToneAction: return "tone \(action.digits)"
        case is SetTranslatingAction: return "translate"
        default: return "other"
        }
    }
}

extension ConversationApp: PKPushRegistryDelegate {
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        probe.note("push")
        switch probe.state.withLock({ $0.pushForm }) {
        case .immediateTask: Task.immediate { await self.reportPush(completion) }
        case .task: Task { await self.reportPush(completion) }
        case .none: completion()
        }
    }

    private func reportPush(_ completion: @Sendable () -> Void) async {
        do {
            try await manager.reportNewIncomingConversation(uuid: Calls.first, update: Calls.update)
            probe.note("reported")
        } catch {
            probe.note("refused \((error as NSError).code)")
        }
        completion()
    }
}
