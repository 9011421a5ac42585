// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookNet
import OffhookServer
import OffhookTesting
import VirtualAPNs
import VirtualPhone

/// Collects what everybody in a demo does, on one clock.
final class DemoRecorder: Sendable {
    private struct State {
        var events: [DemoTimeline.Event] = []
        var waiters: [UInt64: (text: String, continuation: CheckedContinuation<Bool, Never>)] = [:]
        var lastWaiter: UInt64 = 0
    }

    /// When the demo began.
    let start = Date()
    private let state = Guarded(State())
    private let progress: @Sendable (DemoTimeline.Event) -> Void

    /// - Parameter progress: Told every milestone, to be shown at once.
    init(progress: @escaping @Sendable (DemoTimeline.Event) -> Void = { _ in }) {
        self.progress = progress
    }

    /// How long the demo has run.
    var elapsed: Duration { duration(to: Date()) }

    private func duration(to date: Date) -> Duration {
        .nanoseconds(Int64((date.timeIntervalSince(start) * 1e9).rounded()))
    }

    /// What happened so far, in order of time.
    var events: [DemoTimeline.Event] {
        let events = state.withLock { $0.events }
        // A stable order: events of one moment stay as they came.
        return events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// Adds an event at this moment, or at a given one.
    func record(
        _ text: String, from: DemoTimeline.Actor, to: DemoTimeline.Actor? = nil, rule: String? = nil,
        call: String? = nil, kind: DemoTimeline.Kind = .step, at date: Date? = nil
    ) {
        let event = DemoTimeline.Event(
            time: date.map(duration) ?? elapsed, from: from, to: to, rule: rule, text: text, call: call, kind: kind)
        let waiting = state.withLock { state in
            state.events.append(event)
            let found = state.waiters.filter { $0.value.text == text }
            for number in found.keys { state.waiters[number] = nil }
            return found.values.map(\.continuation)
        }
        for continuation in waiting { continuation.resume(returning: true) }
        if kind == .milestone { progress(event) }
    }

    /// Waits until an event with this text is recorded, or was before.
    ///
    /// - Throws: ``DemoStopped`` when it does not come within 20 s.
    func wait(for text: String) async throws {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let limit = Task { [weak self] in
            try await Task.sleep(for: .seconds(60))
            self?.giveUp(number)
        }
        defer { limit.cancel() }
        let isThere = await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                if state.events.contains(where: { $0.text == text }) { return true }
                state.waiters[number] = (text, continuation)
                return false
            }
            if isLate { continuation.resume(returning: true) }
        }
        if !isThere { throw DemoStopped(what: text) }
    }

    private func giveUp(_ number: UInt64) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
    }

    /// Records every line of a phone's timeline.
    func watch(
        _ phone: VirtualPhone, user: DemoTimeline.Actor, phone device: DemoTimeline.Actor, app: DemoTimeline.Actor
    ) {
        phone.watchTimeline { entry in
            let (from, to): (DemoTimeline.Actor, DemoTimeline.Actor?) =
                switch entry.actor {
                case .user: (user, device)
                case .phone: (device, entry.app == nil || DemoRecorder.concernsPhoneAlone(entry.text) ? nil : app)
                case .app: (app, DemoRecorder.concernsAppAlone(entry.text) ? nil : device)
                case .apns: (.apns, device)
                case .server: (.server, nil)
                case .network: (.server, device)
                }
            self.record(
                entry.text, from: from, to: to, rule: entry.rule, call: entry.call?.uuidString.lowercased(),
                kind: entry.text.hasPrefix("violation") || (entry.text.hasPrefix("terminated") && entry.rule != "T5")
                    ? .violation : .step,
                at: entry.time)
        }
    }

    /// Records what the server does; an event that names a device came from that device's app.
    func record(_ event: ServerEvent) {
        let app: DemoTimeline.Actor? =
            event.text.contains("alice-iphone") ? .aliceApp : event.text.contains("bob-iphone") ? .bobApp : nil
        let isOrder = event.text.hasPrefix("VoIP push") || event.text.hasPrefix("APNs")
        record(
            event.text, from: isOrder ? .server : app ?? .server, to: isOrder || app == nil ? nil : .server,
            rule: event.rule, call: event.call?.description,
            at: Date(timeIntervalSince1970: Double(event.at.milliseconds) / 1000))
    }

    /// Records what the push gateway does.
    func record(_ event: GatewayEvent) {
        let date = Date(timeIntervalSince1970: Double(event.time) / 1000)
        switch event.kind {
        case .connected: record("opens an HTTP/2 connection", from: .server, to: .apns, rule: "R104", at: date)
        case .requested(_, let bytes):
            record("VoIP push, \(bytes) bytes", from: .server, to: .apns, rule: "K10", at: date)
        case .accepted: record("200: accepted", from: .apns, to: .server, rule: "R108", at: date)
        case .refused(let refusal):
            record("\(refusal)", from: .apns, to: .server, rule: "R106", kind: .violation, at: date)
        case .expired: record("threw an expired push away", from: .apns, rule: "R105", at: date)
        case .stored: record("keeps the push: the phone is away", from: .apns, rule: "K10", at: date)
        case .missed: record("threw a push away: the phone is away", from: .apns, rule: "R105", at: date)
        case .disconnected, .delivered, .faulted: break
        }
    }

    private static func concernsPhoneAlone(_ text: String) -> Bool {
        ["rings", "call ended", "call connected", "check ", "launched", "outgoing call"].contains { text.hasPrefix($0) }
    }

    private static func concernsAppAlone(_ text: String) -> Bool {
        text == "launched"
    }
}
