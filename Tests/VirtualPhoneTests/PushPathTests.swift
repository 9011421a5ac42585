// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The way of a push from APNs to the app: kept, late, twice, in another order, refused.
@Suite(.timeLimit(.minutes(1)))
struct PushPathTests {
    private func push(
        _ bench: PhoneBench, _ text: String = "{}", expiration: Date? = nil
    ) throws -> PushReceipt {
        let token = try #require(bench.phone.pushToken(for: PhoneBench.bundle))
        return bench.phone.receivePush(token: token, payload: Data(text.utf8), expiration: expiration)
    }

    /// A bench whose app reports nothing and remembers the payloads.
    private func quietBench(system: SystemVersion = SystemVersion(26, 4)) async throws -> PhoneBench {
        let bench = PhoneBench(system: system)
        _ = try await bench.register()
        return bench
    }

    // MARK: - Airplane mode (K10, P20)

    @Test("K10, P20: a push for a phone in airplane mode comes afterwards, unless it has expired")
    func airplaneMode() async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        bench.phone.setAirplaneMode(true)
        let kept = try push(bench)
        let id = try #require(kept.push)
        #expect(kept == .kept(push: id))
        await bench.phone.advance(by: .seconds(3600))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .notRunning)
        bench.phone.setAirplaneMode(false)
        await bench.phone.settle()
        #expect(bench.phone.receipt(of: id) == .delivered(push: id))
        #expect(bench.phone.screen.incoming.count == 1)
    }

    @Test("K10: expiration 0 may still be delivered for 30 s, then it is thrown away", arguments: [(29, 1), (31, 0)])
    func zeroExpiration(_ seconds: Int, _ rings: Int) async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        bench.phone.setAirplaneMode(true)
        let id = try #require(try push(bench, expiration: Date(timeIntervalSince1970: 0)).push)
        await bench.phone.advance(by: .seconds(seconds))
        bench.phone.setAirplaneMode(false)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.count == rings)
        #expect(bench.phone.receipt(of: id) == (rings == 1 ? .delivered(push: id) : .dropped))
    }

    @Test("K10: APNs keeps one push of an app: a newer one takes the place of the older one")
    func oneIsStored() async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        bench.phone.setAirplaneMode(true)
        let first = try #require(try push(bench).push)
        let second = try #require(try push(bench).push)
        bench.phone.setAirplaneMode(false)
        await bench.phone.settle()
        #expect(bench.phone.receipt(of: first) == .dropped)
        #expect(bench.phone.receipt(of: second) == .delivered(push: second))
    }

    // MARK: - Faults

    @Test("K10: late-push: the push comes later; switching the fault off lets it through")
    func latePush() async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        bench.phone.faults.delayPushes(by: .seconds(40))
        let id = try #require(try push(bench).push)
        await bench.phone.advance(by: .milliseconds(39_999))
        #expect(bench.phone.receipt(of: id) == .kept(push: id))
        await bench.phone.advance(by: .milliseconds(1))
        // From 26.4 on it is too old to have to be reported (K8).
        #expect(bench.probe.events.contains("push mayReport"))
        let other = try #require(try push(bench).push)
        bench.phone.faults.delayPushes(by: .zero)
        await bench.phone.settle()
        #expect(bench.phone.receipt(of: other) == .delivered(push: other))
    }

    @Test("R62: duplicated-push: the push comes twice, and one call rings")
    func duplicated() async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        bench.phone.faults.duplicatePushes()
        _ = try push(bench)
        _ = await bench.phone.settle()
        #expect(bench.probe.events.filter { $0.hasPrefix("push") }.count == 2)
        #expect(bench.phone.screen.incoming.count == 1)
        #expect(bench.probe.events.contains("report error 2"))
    }

    @Test("R65: reordered-push: pushes come in reverse order, when all of them are there")
    func reordered() async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        bench.phone.faults.reorderPushes()
        let first = try #require(try push(bench).push)
        #expect(bench.phone.receipt(of: first) == .kept(push: first))
        let second = try #require(try push(bench).push)
        await bench.phone.settle()
        #expect(bench.phone.receipt(of: second) == .delivered(push: second))
        #expect(bench.phone.receipt(of: first) == .delivered(push: first))
        #expect(bench.probe.events.filter { $0.hasPrefix("push") } == ["push mustReport", "push mustReport"])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("P07: crash-at-launch: the push waits for a launch that works")
    func crashAtLaunch() async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        bench.phone.faults.crashAtLaunch(PhoneBench.bundle)
        let id = try #require(try push(bench).push)
        await bench.phone.settle()
        #expect(bench.phone.receipt(of: id) == .waiting(push: id))
        #expect(bench.phone.deaths.last?.code == "crashed")
        #expect(bench.probe.events.isEmpty)
        bench.phone.open(PhoneBench.bundle)
        await bench.phone.settle()
        #expect(bench.phone.receipt(of: id) == .delivered(push: id))
    }

    // MARK: - Payloads

    struct Refused: Sendable {
        var text: String
        var refusal: PushRefusal

        static var all: [Refused] {
            let brackets = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
            let long = String(repeating: "x", count: 5113)
            let others = ["[1]", "\"text\"", "1", "null", "no json", "{\"a\":NaN}", "{\"a\":"]
            var all = others.map { Refused(text: $0, refusal: .notAnObject) }
            all.append(Refused(text: "", refusal: .empty))
            all.append(Refused(text: "{\"a\":\(brackets)}", refusal: .tooDeep))
            all.append(Refused(text: "{\"a\":\"\(long)\"}", refusal: .tooLarge))
            return all
        }
    }

    static var goodPayloads: [String] {
        let long = String(repeating: "x", count: 5112)
        return ["{}", " {\"a\":null} ", "{\"a\":1,\"a\":2}", "{\"a\":[[[]]]}", "{\"a\":\"\(long)\"}"]
    }

    @Test("K10, P02: payloads that APNs does not take are refused, and the app hears nothing", arguments: Refused.all)
    func refused(_ payload: Refused) async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        #expect(try push(bench, payload.text) == .refused(payload.refusal))
        await bench.phone.settle()
        #expect(bench.probe.events.isEmpty)
        #expect(bench.phone.timeline.entries.last?.text.hasPrefix("refused the push") == true)
    }

    @Test("P02: bytes that are not UTF-8 are refused")
    func notUTF8() async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        let token = try #require(bench.phone.pushToken(for: PhoneBench.bundle))
        let payload = Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
        #expect(bench.phone.receivePush(token: token, payload: payload) == .refused(.notAnObject))
    }

    @Test("P02: odd payloads that are JSON objects are delivered", arguments: goodPayloads)
    func delivered(_ text: String) async throws {
        let bench = try await quietBench()
        defer { bench.close() }
        #expect(text.utf8.count <= 5120)
        let id = try #require(try push(bench, text).push)
        await bench.phone.settle()
        #expect(bench.phone.receipt(of: id) == .delivered(push: id))
    }

    // MARK: - Who must report

    /// Where the app is when the push comes.
    enum Place: String, CaseIterable, Sendable { case foreground, background, suspended, killed }
    /// Which call there is.
    enum Call: String, CaseIterable, Sendable { case none, ringing, talking, held, ofAnotherApp }
    struct Situation: Sendable, CustomTestStringConvertible {
        var place: Place
        var call: Call
        var isOld: Bool
        var minor: Int
        var testDescription: String { "\(place), call \(call), \(isOld ? "old" : "fresh"), 26.\(minor)" }

        static let all = Place.allCases.flatMap { place in
            Call.allCases.flatMap { call in
                [true, false].flatMap { isOld in
                    [3, 4].map { Situation(place: place, call: call, isOld: isOld, minor: $0) }
                }
            }
        }
        /// A call of its own keeps an app from being suspended.
        var isPossible: Bool { place != .suspended || call == .none || call == .ofAnotherApp }
        /// By docs/rules.md: K7 and K8.
        var mustReport: Bool {
            if place == .foreground || [.ringing, .talking, .held].contains(call) { return false }
            return !(isOld && minor == 4)
        }
    }

    @Test("K7, K8: who must report: place, call, age and system", arguments: Situation.all.filter(\.isPossible))
    func mustReport(_ situation: Situation) async throws {
        let bench = PhoneBench(system: SystemVersion(26, situation.minor), locked: false)
        defer { bench.close() }
        let other = RawApp.Probe()
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        var app = try await bench.open()
        switch situation.call {
        case .none: break
        case .ringing: app.report(Calls.first)
        case .talking, .held:
            app.report(Calls.first)
            await bench.phone.settle()
            try bench.phone.user.answer()
            await bench.phone.settle()
            if situation.call == .held { try bench.phone.user.setHeld(true) }
        case .ofAnotherApp:
            bench.phone.open("other.app")
            await bench.phone.settle()
            try #require(other.app).report(Calls.second)
            await bench.phone.settle()
            try bench.phone.user.answer()
        }
        await bench.phone.settle()
        switch situation.place {
        case .foreground: bench.phone.open(PhoneBench.bundle)
        case .background: bench.phone.user.goHome()
        case .suspended:
            bench.phone.user.goHome()
            await bench.phone.advance(by: .seconds(30))
            #expect(bench.phone.appState(of: PhoneBench.bundle) == .suspended)
        case .killed:
            bench.phone.open(PhoneBench.bundle)
            await bench.phone.settle()
            try bench.phone.user.close(PhoneBench.bundle)
        }
        await bench.phone.settle()
        bench.probe.behavior.reporting = .never
        let token = try #require(bench.phone.pushToken(for: PhoneBench.bundle))
        let age: TimeInterval = situation.isOld ? 31 : 0
        bench.phone.receivePush(
            token: token, payload: Data("{}".utf8), sentAt: bench.phone.now.addingTimeInterval(-age))
        await bench.phone.settle()
        app = try #require(bench.probe.app)
        let wasKilled = bench.phone.deaths.contains { $0.rule == "K3" }
        #expect(wasKilled == situation.mustReport)
        let told = situation.minor == 3 ? "push" : situation.mustReport ? "push mustReport" : "push mayReport"
        #expect(bench.probe.events.contains(told))
    }

    @Test("K13, R60: the unrestricted-voip entitlement has no effect from iOS 26's SDK on", arguments: [18, 26])
    func unrestrictedVoIP(_ sdk: Int) async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        var app = PhoneBench.app(bench.probe)
        app.hasUnrestrictedVoIPEntitlement = true
        app.sdk = SystemVersion(sdk)
        bench.phone.install(app)
        _ = try await bench.register()
        #expect(bench.phone.violations.map(\.rule) == (sdk == 26 ? ["K13"] : []))
        bench.probe.behavior.reporting = .never
        _ = try push(bench)
        await bench.phone.advance(by: .seconds(10))
        #expect(bench.phone.deaths.contains { $0.rule == "K3" } == (sdk == 26))
    }

    @Test("R55: a rotated token is told, and the old one is dead; P44: a reinstalled app's old token too")
    func rotation() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        _ = try await bench.open()
        let old = try #require(bench.phone.pushToken(for: PhoneBench.bundle))
        bench.phone.rotateToken(of: PhoneBench.bundle)
        await bench.phone.settle()
        #expect(bench.probe.events == ["token"])
        #expect(bench.phone.pushToken(for: PhoneBench.bundle) != old)
        #expect(bench.phone.receivePush(token: old, payload: Data("{}".utf8)) == .unknownToken)
    }
}
