// SPDX-License-Identifier: MIT

import Dispatch
public import Foundation
import Offhook
import OffhookNet
public import VirtualPhone

/// Several phones, their network and a server, in one virtual time.
///
/// Time moves by ``advance(by:)`` alone, for all phones together and from one deadline to the next. App code runs one
/// callback after the other, over all phones, so that the same seed gives the same timelines: what an app does on its
/// delegate queues is deterministic. What it does in tasks or on threads of its own is not waited for.
///
/// ```swift
/// let lab = PhoneLab(seed: 1)
/// let bob = lab.phone("bob")
/// lab.install(app, on: bob)
/// ```
///
/// Call ``shutDown()`` when the lab is not needed any more.
public final class PhoneLab: Sendable {
    struct Planned: Sendable {
        var time: Date
        var number: UInt64
        var body: @Sendable () -> Void
    }
    struct State {
        var phones: [VirtualPhone] = []
        var agenda: [Planned] = []
        var count: UInt64 = 0
        var now: Date
        var entries: [LabTimeline.Entry] = []
        var server: LabServer?
    }

    /// The way of pushes and messages to the phones.
    public let network: LabNetwork
    /// The lab's time for engines of Offhook.
    public let clock: ManualClock
    let order = DeliveryOrder()
    let state: Guarded<State>
    private let seed: UInt64

    /// Makes a lab without phones.
    ///
    /// - Parameters:
    ///   - seed: Where everything random comes from; the same seed gives the same timelines.
    ///   - start: The first moment of the lab's time.
    public init(seed: UInt64 = 1, start: Date = Date(timeIntervalSinceReferenceDate: 800_000_000)) {
        self.seed = seed
        network = LabNetwork(seed: seed)
        clock = ManualClock(now: PhoneLab.instant(start))
        state = Guarded(State(now: start))
        order.setQueues { [weak self] in self?.appQueues ?? [] }
    }

    deinit {
        shutDown()
    }

    /// The phones, in the order in which they were made.
    public var phones: [VirtualPhone] { state.withLock { $0.phones } }

    /// The lab's time.
    public var now: Date { state.withLock { $0.now } }

    /// The calling server, for Offhook apps.
    public var server: LabServer {
        state.withLock { state in
            if let server = state.server { return server }
            let server = LabServer(lab: self)
            state.server = server
            return server
        }
    }

    /// Everything that happened, in order.
    public var timeline: LabTimeline { LabTimeline(entries: state.withLock { $0.entries }) }

    /// The rules that were broken, phone after phone.
    public var violations: [Violation] { phones.flatMap(\.violations) }

    /// The phone of that name; made when there is none yet.
    ///
    /// - Parameters:
    ///   - name: Names the phone in timelines.
    ///   - system: What it runs, when it is made now.
    ///   - locked: Whether it is locked, when it is made now.
    ///   - settings: The answers to what Apple leaves open, when it is made now.
    /// - Returns: The phone.
    public func phone(
        _ name: String, system: SystemVersion = SystemVersion(26, 4), locked: Bool = false,
        settings: PhoneSettings = PhoneSettings()
    ) -> VirtualPhone {
        if let phone = phones.first(where: { $0.configuration.name == name }) { return phone }
        let number = UInt64(phones.count)
        let phone = VirtualPhone(
            VirtualPhone.Configuration(
                name: name, system: system, clock: .virtual(start: now), settings: settings, locked: locked,
                seed: seed &* 1_000_003 &+ number),
            order: order)
        state.withLock { $0.phones.append(phone) }
        phone.watchTimeline { [weak self] entry in
            self?.state.withLock { $0.entries.append(LabTimeline.Entry(phone: name, entry: entry)) }
        }
        return phone
    }

    /// Installs an app on a phone.
    public func install(_ app: App, on phone: VirtualPhone) {
        phone.install(app)
    }

    /// Installs an app, lets it register for pushes, closes it, and locks the phone: what a call finds at night.
    ///
    /// - Throws: ``PhoneUserError`` when the app did not stay alive.
    public func installAndClose(_ app: App, on phone: VirtualPhone) async throws {
        install(app, on: phone)
        phone.open(app.bundleIdentifier)
        await settle()
        try phone.user.close(app.bundleIdentifier)
        phone.user.lock()
        await settle()
    }

    /// Sends a VoIP push over the network: it arrives after the network's delay, or never.
    ///
    /// - Parameters:
    ///   - phone: The phone whose app is meant.
    ///   - bundle: The app; the token is the one it has when the push is sent.
    ///   - body: The push's body.
    public func push(to phone: VirtualPhone, _ bundle: String, _ body: PushBody) {
        guard let token = phone.pushToken(for: bundle) else {
            phone.record(.apns, "has no token to push to", rule: "K1")
            return
        }
        deliver(to: phone, token: token, body: body)
    }

    func deliver(to phone: VirtualPhone, token: Data, body: PushBody) {
        let (sentAt, name) = (now, phone.configuration.name)
        guard let travel = network.pushTravel() else {
            phone.record(.network, "lost a push", rule: "R108")
            return
        }
        plan(after: travel) { [weak self, weak phone] in
            guard let self, let phone else { return }
            if network.isOffline(name) {
                phone.record(.network, "lost a push: the phone is offline", rule: "R108")
            } else {
                phone.receivePush(token: token, payload: body.data, sentAt: sentAt)
            }
        }
    }

    /// Lets something happen later in the lab's time.
    ///
    /// - Parameters:
    ///   - delay: How much later; what is planned for one moment happens in the order of planning.
    ///   - body: What; runs while ``advance(by:)`` does.
    public func plan(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        plan(at: now.addingTimeInterval(delay / .seconds(1)), body)
    }

    func plan(at time: Date, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.count += 1
            let entry = Planned(time: time, number: state.count, body: body)
            let index =
                state.agenda.firstIndex { ($0.time, $0.number) > (entry.time, entry.number) } ?? state.agenda.endIndex
            state.agenda.insert(entry, at: index)
        }
    }

    /// Shuts all phones down.
    public func shutDown() {
        for phone in phones { phone.shutDown() }
    }

    private var appQueues: [DispatchQueue] {
        var seen: Set<ObjectIdentifier> = []
        return phones.flatMap(\.appQueues).filter { seen.insert(ObjectIdentifier($0)).inserted }
    }

    static func instant(_ date: Date) -> Instant {
        Instant(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
}
