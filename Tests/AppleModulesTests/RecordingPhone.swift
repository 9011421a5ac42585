// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

/// A phone that does nothing but write down what it is asked, so that each module can be tested without its rules.
final class RecordingPhone: PhoneLink {
    let now = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private let log = Locked<[AppRequest]>([])
    private let answer: @Sendable (AppRequest) -> AppReply

    init(answer: @escaping @Sendable (AppRequest) -> AppReply = { _ in .done }) {
        self.answer = answer
    }

    var requests: [AppRequest] { log.withLock { $0 } }

    func handle(_ request: AppRequest, from process: AppProcess) -> AppReply {
        log.withLock { $0.append(request) }
        return answer(request)
    }

    func forget() {
        log.withLock { $0 = [] }
    }
}

/// An app process on a recording phone.
struct TestApp: Sendable {
    let phone: RecordingPhone
    let process: AppProcess

    init(answer: @escaping @Sendable (AppRequest) -> AppReply = { _ in .done }) {
        phone = RecordingPhone(answer: answer)
        process = AppProcess(bundleIdentifier: "com.example.app", link: phone)
    }

    /// Delivers an event; returns when its handler has.
    @discardableResult
    func deliver(_ event: PhoneEvent) async -> Bool {
        await withCheckedContinuation { continuation in
            process.deliver(event, to: event.endpoint) { continuation.resume(returning: $0) }
        }
    }

    /// The identifier under which the only provider was created.
    var provider: UUID {
        for case .createProvider(let provider, _) in phone.requests { return provider }
        return UUID()
    }

    /// The identifier under which the only registry registered.
    var registry: UUID {
        for case .setDesiredPushTypes(let registry, _) in phone.requests { return registry }
        return UUID()
    }
}

/// A value that a callback hands to a test.
final class Slot<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: CheckedContinuation<Value, Never>?
    }
    private let state = Locked(State())

    func put(_ value: Value) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if state.waiting == nil { state.values.append(value) }
            return state.waiting
        }
        waiting?.resume(returning: value)
    }

    /// The oldest value not taken yet; waits for it.
    func take() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                guard state.values.isEmpty else { return state.values.removeFirst() }
                state.waiting = continuation
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    var all: [Value] { state.withLock { $0.values } }
}
