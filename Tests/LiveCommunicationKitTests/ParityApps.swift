// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import LiveCommunicationKit
import VirtualPhone

/// What a scenario asks of an app, whichever framework it uses.
protocol ParityApp: AnyObject, Sendable {
    func ring(_ call: UUID) async -> Bool
    func start(_ call: UUID) async -> Bool
    func end(_ call: UUID) async -> Bool
    func hold(_ call: UUID, _ isOnHold: Bool) async -> Bool
    func mute(_ call: UUID, _ isMuted: Bool) async -> Bool
    func group(_ call: UUID, with other: UUID?) async -> Bool
    func connected(_ call: UUID)
    func remoteEnded(_ call: UUID)
    func invalidate()
    /// The kinds of actions that are never completed, and those that fail.
    var behavior: Locked<[String: AppProbe.Completion]> { get }
}

private func works(_ body: () async throws -> Void) async -> Bool {
    do {
        try await body()
        return true
    } catch {
        return false
    }
}

/// The app by CallKit.
final class CallKitParityApp: NSObject, ParityApp, CXProviderDelegate, @unchecked Sendable {
    let provider: CXProvider
    let controller = CXCallController(queue: .main)
    let process: AppProcess
    let behavior = Locked<[String: AppProbe.Completion]>([:])

    init(process: AppProcess) {
        self.process = process
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = 2
        configuration.maximumCallsPerCallGroup = 2
        configuration.supportedHandleTypes = [.generic, .phoneNumber]
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: .main)
    }

    private var update: CXCallUpdate {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: Calls.alice.value)
        update.localizedCallerName = Calls.alice.displayName
        update.supportsHolding = true
        update.supportsGrouping = true
        update.supportsUngrouping = true
        update.supportsDTMF = true
        return update
    }

    private func request(_ make: () -> CXAction) async -> Bool {
        let action = process.run(make)
        return await works { try await controller.requestTransaction(with: action) }
    }

    func ring(_ call: UUID) async -> Bool {
        let update = update
        return await works { try await provider.reportNewIncomingCall(with: call, update: update) }
    }
    func start(_ call: UUID) async -> Bool {
        await request { CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: Calls.bob.value)) }
    }
    func end(_ call: UUID) async -> Bool { await request { CXEndCallAction(call: call) } }
    func hold(_ call: UUID, _ isOnHold: Bool) async -> Bool {
        await request { CXSetHeldCallAction(call: call, onHold: isOnHold) }
    }
    func mute(_ call: UUID, _ isMuted: Bool) async -> Bool {
        await request { CXSetMutedCallAction(call: call, muted: isMuted) }
    }
    func group(_ call: UUID, with other: UUID?) async -> Bool {
        await request { CXSetGroupCallAction(call: call, callUUIDToGroupWith: other) }
    }
    func connected(_ call: UUID) { provider.reportOutgoingCall(with: call, connectedAt: nil) }
    func remoteEnded(_ call: UUID) { provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded) }
    func invalidate() { provider.invalidate() }

    private func complete(_ action: CXAction, _ name: String) {
        switch behavior.withLock({ $0[name] }) ?? .fulfill {
        case .fulfill: action.fulfill()
        case .fail: action.fail()
        case .never: break
        case .twice:
            action.fulfill()
            action.fail()
        }
    }
    func providerDidReset(_ provider: CXProvider) {}
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {}
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}
    func provider(_ provider: CXProvider, perform action: CXStartCallAction) { complete(action, "start") }
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { complete(action, "join") }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { complete(action, "end") }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { complete(action, "pause") }
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { complete(action, "mute") }
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) { complete(action, "merge") }
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) { complete(action, "tone") }
}

/// The app by LiveCommunicationKit.
final class ConversationParityApp: ParityApp, ConversationManagerDelegate, @unchecked Sendable {
    let manager = ConversationManager(configuration: ConversationApp.configuration)
    let process: AppProcess
    let behavior = Locked<[String: AppProbe.Completion]>([:])

    init(process: AppProcess) {
        self.process = process
        manager.delegate = self
    }

    private func request(_ make: () -> ConversationAction) async -> Bool {
        let action = process.run(make)
        return await works { try await manager.perform([action]) }
    }
    private func report(_ event: Conversation.Event, _ call: UUID) {
        guard let conversation = manager.conversations.first(where: { $0.uuid == call }) else { return }
        manager.reportConversationEvent(event, for: conversation)
    }

    func ring(_ call: UUID) async -> Bool {
        await works { try await manager.reportNewIncomingConversation(uuid: call, update: Calls.update) }
    }
    func start(_ call: UUID) async -> Bool {
        await request { StartConversationAction(conversationUUID: call, handles: [Calls.bob], isVideo: false) }
    }
    func end(_ call: UUID) async -> Bool { await request { EndConversationAction(conversationUUID: call) } }
    func hold(_ call: UUID, _ isOnHold: Bool) async -> Bool {
        await request { PauseConversationAction(conversationUUID: call, isPaused: isOnHold) }
    }
    func mute(_ call: UUID, _ isMuted: Bool) async -> Bool {
        await request { MuteConversationAction(conversationUUID: call, isMuted: isMuted) }
    }
    func group(_ call: UUID, with other: UUID?) async -> Bool {
        await request {
            if let other {
                MergeConversationAction(conversationUUID: call, conversationUUIDToMergeWith: other)
            } else {
                UnmergeConversationAction(conversationUUID: call)
            }
        }
    }
    func connected(_ call: UUID) { report(.conversationConnected(process.now), call) }
    func remoteEnded(_ call: UUID) { report(.conversationEnded(process.now, .remoteEnded), call) }
    func invalidate() { manager.invalidate() }

    func conversationManager(_ manager: ConversationManager, perform action: ConversationAction) {
        let names = ["resume": "pause", "unmute": "mute", "unmerge": "merge"]
        let name = ConversationApp.name(of: action)
        let kind = name.hasPrefix("tone") ? "tone" : names[name] ?? name
        switch behavior.withLock({ $0[kind] }) ?? .fulfill {
        case .fulfill: action.fulfill()
        case .fail: action.fail()
        case .never: break
        case .twice:
            action.fulfill()
            action.fail()
        }
    }
    func conversationManagerDidBegin(_ manager: ConversationManager) {}
    func conversationManagerDidReset(_ manager: ConversationManager) {}
    func conversationManager(_ manager: ConversationManager, conversationChanged conversation: Conversation) {}
    func conversationManager(_ manager: ConversationManager, timedOutPerforming action: ConversationAction) {}
    func conversationManager(_ manager: ConversationManager, didActivate audioSession: AVAudioSession) {}
    func conversationManager(_ manager: ConversationManager, didDeactivate audioSession: AVAudioSession) {}
}
