// SPDX-License-Identifier: MIT

import Combine
import Foundation

@MainActor
final class Call: ObservableObject {
    enum State: String {
        case ringing, active, held, ended
    }

    let uuid: UUID
    let handle: String
    let isOutgoing: Bool
    @Published var state: State
    @Published var isMuted = false

    init(uuid: UUID, handle: String, isOutgoing: Bool) {
        self.uuid = uuid
        self.handle = handle
        self.isOutgoing = isOutgoing
        state = isOutgoing ? .active : .ringing
    }
}

/// The view model of the call screen.
@MainActor
final class CallStore: ObservableObject {
    @Published private(set) var calls: [Call] = []
    @Published var isAudioRunning = false
    @Published private(set) var title = ""
    let ended = PassthroughSubject<UUID, Never>()
    private var cancellables = Set<AnyCancellable>()

    init() {
        $calls
            .map { calls in calls.isEmpty ? "No calls" : "\(calls.count) on the line" }
            .removeDuplicates()
            .sink { [weak self] title in self?.title = title }
            .store(in: &cancellables)
    }

    var hasCalls: Bool { !calls.isEmpty }

    func call(_ uuid: UUID) -> Call? {
        calls.first { $0.uuid == uuid }
    }

    func add(_ call: Call) {
        calls.append(call)
    }

    func remove(_ uuid: UUID) {
        call(uuid)?.state = .ended
        calls.removeAll { $0.uuid == uuid }
        ended.send(uuid)
    }

    func removeAll() {
        calls.removeAll()
    }
}
