// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore

/// Hands events to everyone who listens; bound to the engine queue.
final class EventStreams {
    /// How many events wait for a listener that takes none; then the oldest are lost.
    static let limit = 1000

    private var calls: [UUID: AsyncStream<[Call]>.Continuation] = [:]
    private var events: [UUID: AsyncStream<CallEvent>.Continuation] = [:]
    private var connection = ConnectionState.offline
    private var storage = StorageState.memoryOnly
    private var isFinished = false

    func add(_ continuation: AsyncStream<[Call]>.Continuation, first: [Call]) {
        continuation.yield(first)
        if isFinished { return continuation.finish() }
        calls[UUID()] = continuation
    }

    func add(_ continuation: AsyncStream<CallEvent>.Continuation, first: [Call]) {
        continuation.yield(.snapshot(first))
        continuation.yield(.connection(connection))
        continuation.yield(.storage(storage))
        if isFinished { return continuation.finish() }
        events[UUID()] = continuation
    }

    func send(_ call: Call, live: [Call]) {
        send(.changed(call))
        send(live)
    }

    func send(_ live: [Call]) {
        calls = calls.filter { isOpen($0.value.yield(live)) }
    }

    func send(_ event: CallEvent) {
        if case .connection(let state) = event { connection = state }
        if case .storage(let state) = event { storage = state }
        events = events.filter { isOpen($0.value.yield(event)) }
    }

    func finish() {
        isFinished = true
        for continuation in calls.values { continuation.finish() }
        for continuation in events.values { continuation.finish() }
        calls = [:]
        events = [:]
    }

    private func isOpen<Element>(_ result: AsyncStream<Element>.Continuation.YieldResult) -> Bool {
        if case .terminated = result { false } else { true }
    }
}
