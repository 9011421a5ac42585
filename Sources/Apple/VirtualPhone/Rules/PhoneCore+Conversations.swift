// SPDX-License-Identifier: MIT

import Foundation

/// Whether there is anybody to tell of conversations, and whether that is being done.
struct ConversationNews: Hashable, Sendable {
    var hasManagers = false
    var isTelling = false
}

// L1, L2: calls of LiveCommunicationKit, which are calls like all others.
extension PhoneCore {
    /// L1: an app uses one framework, in whose words the phone speaks.
    mutating func noteFramework(_ framework: CallFramework, of process: UUID) {
        guard let record = processes[process] else { return }
        processes[process]?.frameworks.insert(framework)
        apps[record.bundle]?.framework = framework
        if framework == .liveCommunicationKit { conversations.hasManagers = true }
    }

    /// L1: two frameworks in one process are one too many.
    mutating func checkFrameworks(of process: UUID) {
        guard let record = processes[process], record.frameworks.count > 1 else { return }
        violate(
            "L1", "the app made both a CXProvider and a ConversationManager",
            advice: "Use CallKit or LiveCommunicationKit, one of them in a process.", app: record.bundle)
    }

    /// L1: a CXCallController beside a ConversationManager; said once.
    mutating func checkFramework(of transaction: TransactionValue, process: UUID) {
        guard transaction.framework == .callKit, let record = processes[process],
            record.frameworks == [.liveCommunicationKit]
        else { return }
        processes[process]?.frameworks.insert(.callKit)
        violate(
            "L1", "the app has a ConversationManager, and asked for a transaction through a CXCallController",
            advice: "Ask through ConversationManager.perform(_:): use one of the two frameworks in a process.",
            app: record.bundle)
    }

    /// Tells every manager what is new about its conversations, before it is told anything else.
    mutating func tellConversations() {
        guard conversations.hasManagers, !conversations.isTelling else { return }
        conversations.isTelling = true
        defer { conversations.isTelling = false }
        for process in sortedProcesses {
            for provider in process.providers
            where provider.configuration.framework == .liveCommunicationKit && provider.hasBegun {
                tell(provider, of: process)
            }
        }
    }

    private mutating func tell(_ provider: ProcessRecord.Provider, of process: ProcessRecord) {
        let current = calls.filter { call in
            call.bundle == process.bundle && self.provider(for: call)?.provider.id == provider.id
        }.map(\.conversation)
        guard current != provider.told, let index = providerIndex(provider.id, of: process.id) else { return }
        processes[process.id]?.providers[index].told = current
        for old in provider.told where !current.contains(where: { $0.uuid == old.uuid }) {
            var gone = old
            gone.state = .left
            deliver(.conversationChanged(provider: provider.id, conversation: gone), to: process.id)
        }
        for new in current where !provider.told.contains(new) {
            deliver(.conversationChanged(provider: provider.id, conversation: new), to: process.id)
        }
    }

    // MARK: - Joining (L2)

    /// Whether a report is about an incoming conversation: of those CallKit knows no such report (O2).
    func reportsAboutJoin(_ call: UUID, provider: UUID, process: UUID) -> Bool {
        guard let index = index(of: call, for: provider, of: process) else { return false }
        return !calls[index].isOutgoing && apps[calls[index].bundle]?.framework == .liveCommunicationKit
    }

    mutating func joinStartedConnecting(_ call: UUID) {
        guard let index = callIndex(call) else { return }
        log(.app, "reported the conversation connecting", rule: "L2", call: call, app: calls[index].bundle)
        if calls[index].phase == .ringing { violateUnjoined(calls[index]) }
        calls[index].hasStartedConnecting = true
    }

    /// The conversation is joined when its action is fulfilled; the timer starts at the date reported before.
    mutating func joinConnected(_ call: UUID, date: Date?) {
        guard let index = callIndex(call), calls[index].connectedAt == nil else { return }
        log(.app, "reported the conversation connected", rule: "L2", call: call, app: calls[index].bundle)
        if calls[index].phase == .ringing { return violateUnjoined(calls[index]) }
        calls[index].reportedConnectedAt = date ?? now
    }

    private mutating func violateUnjoined(_ call: CallRecord) {
        violate(
            "L2", "a conversation that nobody has joined was reported connecting or connected",
            advice: "Report it in the handler of its JoinConversationAction, then fulfill the action.",
            app: call.bundle, call: call.uuid)
    }

    /// The names of the members: that of Contacts, else the app's, else the address (L1).
    func shownMembers(of call: CallRecord) -> String? {
        guard !call.members.isEmpty else { return nil }
        return call.members.map { contact(for: $0.handle)?.name ?? $0.displayName ?? $0.handle.value }.joined(
            separator: ", ")
    }

    // MARK: - Words

    /// A text of the timeline or of a violation, in the words of the app's framework.
    func spoken(_ text: String, to bundle: String?) -> String {
        guard let bundle, apps[bundle]?.framework == .liveCommunicationKit else { return text }
        return ConversationWords.translate(text)
    }
}

extension CallRecord {
    /// The call as a conversation (L2).
    var conversation: ConversationValue {
        ConversationValue(uuid: uuid, state: conversationState, localMember: localMember)
    }

    private var conversationState: ConversationValue.State {
        if isEnding { return .leaving }
        if isOnHold { return .paused }
        switch phase {
        case .ringing: return .idle
        case .answering, .dialing, .started: return .joining
        case .connected: return .joined
        }
    }
}
