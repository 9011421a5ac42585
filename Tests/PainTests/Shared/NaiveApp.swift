// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookNet
import OffhookTesting
import VirtualPhone

/// A calling app on CallKit and PushKit as apps are really written, without Offhook; its mistakes are switches.
///
/// Without a mistake it does the same things right. Its pushes are JSON: `call` (UUID), `caller`, and if wanted
/// `expires` (seconds of the phone's reference date), `conversation` (UUID) and `type`. Its server is the test.
final class NaiveApp: Sendable {
    struct State {
        var mistakes: Set<Mistake>
        weak var process: NaiveProcess?
        var events: [String] = []
        var sent: [String] = []
        var lost: [String] = []
        var media: Set<UUID> = []
        var isHostUp = false
        var isConnected = false
        var isInRoom = false
    }

    let bundle: String
    let phone: VirtualPhone
    let maximumCallGroups: Int
    let state: Guarded<State>
    private let dataProtection: DataProtection

    /// Makes the app and installs it.
    init(
        on phone: VirtualPhone, _ mistakes: Set<Mistake> = [], bundle: String = "com.example.naive",
        maximumCallGroups: Int = 2, dataProtection: DataProtection = .untilFirstUnlock
    ) {
        self.phone = phone
        self.bundle = bundle
        self.maximumCallGroups = maximumCallGroups
        self.dataProtection = dataProtection
        state = Guarded(State(mistakes: mistakes))
        install()
    }

    /// Installs the app, or installs it again.
    func install() {
        var app = App(bundleIdentifier: bundle, displayName: "Naive") { [self] reason in
            let process = NaiveProcess(app: self, reason: reason)
            state.withLock { state in
                state.process = process
                state.isHostUp = reason == .userOpened
                state.isConnected = reason == .userOpened || !state.mistakes.contains(.hasNoSocketAfterPush)
                state.media = []
            }
            hear("launched: \(reason.rawValue)")
            return process
        }
        app.dataProtection = dataProtection
        phone.install(app)
    }

    /// Opens the app, lets it register for pushes and store its data, closes it, and locks the phone.
    func registerAndClose() async throws {
        phone.open(bundle)
        await phone.settle()
        try phone.user.close(bundle)
        phone.user.lock()
        await phone.settle()
        state.withLock { $0.events = [] }
    }

    /// Opens the app and leaves it in the background, with its connection.
    func openAndLeave() async {
        phone.open(bundle)
        await phone.settle()
        phone.user.goHome()
        await phone.settle()
        state.withLock { $0.events = [] }
    }

    /// Pushes a call.
    @discardableResult
    func push(
        _ call: UUID = UUID(), caller: String = "Alice", conversation: UUID? = nil, type: String? = nil,
        lasting: Duration? = nil, sentAt: Date? = nil, expiration: Date? = nil
    ) -> PushReceipt {
        var fields: [String: PushBody.Value] = ["call": .string(call.uuidString), "caller": .string(caller)]
        if let conversation { fields["conversation"] = .string(conversation.uuidString) }
        if let type { fields["type"] = .string(type) }
        if let lasting {
            let sent = (sentAt ?? phone.now).timeIntervalSinceReferenceDate
            fields["expires"] = .number(sent + lasting / .seconds(1))
        }
        return push(PushBody(fields), sentAt: sentAt, expiration: expiration)
    }

    /// Pushes any body.
    @discardableResult
    func push(_ body: PushBody, sentAt: Date? = nil, expiration: Date? = nil) -> PushReceipt {
        guard let token = phone.pushToken(for: bundle) else { return .unknownToken }
        return phone.receivePush(token: token, payload: body.data, sentAt: sentAt, expiration: expiration)
    }

    func has(_ mistake: Mistake) -> Bool { state.withLock { $0.mistakes.contains(mistake) } }

    /// Corrects a mistake, or makes one, from now on.
    func set(_ mistake: Mistake, _ isMade: Bool) {
        state.withLock { state in
            if isMade { state.mistakes.insert(mistake) } else { state.mistakes.remove(mistake) }
        }
    }

    // MARK: - What became of it

    /// What the app was told, in order, over all launches.
    var events: [String] { state.withLock { $0.events } }
    /// What the app's server was told.
    var sent: [String] { state.withLock { $0.sent } }
    /// What the app meant to tell its server, and did not.
    var lost: [String] { state.withLock { $0.lost } }
    /// The calls for which the app keeps microphone and media open.
    var media: Set<UUID> { state.withLock { $0.media } }

    func hear(_ event: String) { state.withLock { $0.events.append(event) } }

    /// Tells the server, by way of the host when the app is made so.
    func send(_ message: String) {
        state.withLock { state in
            if state.mistakes.contains(.speaksThroughHost), !state.isHostUp {
                state.lost.append(message)
            } else {
                state.sent.append(message)
            }
        }
    }

    // MARK: - What the app's server and its own buttons do

    var process: NaiveProcess? { state.withLock { $0.process } }

    /// The server offers a call over the app's connection.
    func serverRings(_ call: UUID, caller: String = "Alice") {
        guard state.withLock({ $0.isConnected }) else { return }
        process?.offered(call, caller: caller)
    }

    /// The server says that a call is over; an app without a connection does not hear it.
    func serverEnds(_ call: UUID, _ reason: CXCallEndedReason = .remoteEnded) {
        guard state.withLock({ $0.isConnected }) else { return }
        process?.remoteEnded(call, reason: reason)
    }

    /// The other side of a call out answered.
    func serverConnects(_ call: UUID) {
        process?.provider.reportOutgoingCall(with: call, connectedAt: nil)
    }

    /// The user calls from the app.
    @discardableResult
    func call(_ handle: String = "bob", _ call: UUID = UUID()) -> UUID {
        process?.request(CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: handle)))
        return call
    }

    /// The user ends a call in the app.
    func end(_ call: UUID) {
        process?.requestEnd(call)
    }

    /// The user enters a room inside the app, without CallKit.
    func enterRoom() { state.withLock { $0.isInRoom = true } }

    /// Whether the host (JavaScript, Dart) of the app is up.
    var isHostUp: Bool { state.withLock { $0.isHostUp } }

    /// The host is up at last, and lets the answers that waited for it be fulfilled.
    func hostCameUp() {
        state.withLock { $0.isHostUp = true }
        process?.hostCameUp()
    }

    // MARK: - The app's data

    private var file: URL? { phone.container(of: bundle)?.appendingPathComponent("account.json") }

    func storeData() {
        guard let file else { return }
        try? Data("{}".utf8).write(to: file)
    }

    var canReadData: Bool { file.flatMap { try? Data(contentsOf: $0) } != nil }
}
