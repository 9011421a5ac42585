// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting
import Testing
import VirtualPhone

/// P01-P10: what goes wrong between a push and its report.
///
/// Each sequence also runs without the mistake, and is clean.
@Suite(.timeLimit(.minutes(1))) struct PushPains {
    private func make(
        _ mistakes: Set<NaiveApp.Mistake>, isNaive: Bool, system: SystemVersion = SystemVersion(26, 4),
        dataProtection: DataProtection = .untilFirstUnlock, _ change: (inout PhoneSettings) -> Void = { _ in }
    ) async throws -> (VirtualPhone, NaiveApp) {
        var settings = PhoneSettings()
        change(&settings)
        let phone = VirtualPhone(VirtualPhone.Configuration(system: system, settings: settings))
        let app = NaiveApp(on: phone, isNaive ? mistakes : [], dataProtection: dataProtection)
        try await app.registerAndClose()
        return (phone, app)
    }

    @Test("P01, DTS1: an early return that only completes the push gets the app killed", arguments: [true, false])
    func earlyReturn(isNaive: Bool) async throws {
        for mistake in [NaiveApp.Mistake.dropsUnreadablePushes, .dropsExpiredPushes, .dropsPushesInRoom] {
            let (phone, app) = try await make([mistake], isNaive: isNaive)
            defer { phone.shutDown() }
            switch mistake {
            case .dropsUnreadablePushes: app.push(["caller": "Alice"])
            case .dropsExpiredPushes: app.push(lasting: .seconds(-1))
            default:
                await app.openAndLeave()
                app.enterRoom()
                app.push()
            }
            await phone.advance(by: .seconds(10))
            #expect(phone.punishments.map(\.code) == (isNaive ? ["NSInternalInconsistencyException"] : []))
            #expect(phone.brokenRules == (isNaive ? ["K3"] : []), "\(mistake)")
        }
    }

    @Test(
        "P02: a payload of an odd shape gets an app killed that reads it before it reports", arguments: [true, false])
    func oddPayload(isNaive: Bool) async throws {
        let (phone, app) = try await make([.dropsUnreadablePushes], isNaive: isNaive) { $0.reportFailureLimit = 100 }
        defer { phone.shutDown() }
        for body in OddBodies.all {
            app.push(body)
            await phone.advance(by: .seconds(10))
        }
        #expect(phone.punishments.count == (isNaive ? OddBodies.all.count : 0))
        #expect(phone.snapshot.calls.isEmpty)
    }

    @Test("P03, DTS2: pushes that come late are not reported, and soon none comes any more", arguments: [true, false])
    func latePushes(isNaive: Bool) async throws {
        // The threshold is not published; three is the report's.
        let (phone, app) = try await make([.dropsExpiredPushes], isNaive: isNaive, system: SystemVersion(26)) {
            $0.reportFailureLimit = 3
        }
        defer { phone.shutDown() }
        for _ in 1...3 {
            app.push(lasting: .seconds(30), sentAt: phone.now - 60)
            await phone.advance(by: .seconds(10))
        }
        #expect(phone.punishments.count == (isNaive ? 3 : 0))
        let heard = app.events.count { $0 == "push" }
        let dialogs = phone.timeline.entries.count { $0.text == "shows a dialog about the unreported push" }
        #expect(dialogs == (isNaive ? 3 : 0))
        let receipt = app.push(lasting: .seconds(30))
        await phone.advance(by: .seconds(10))
        #expect((receipt == .dropped) == isNaive)
        // Nothing tells the app of it.
        #expect(app.events.count { $0 == "push" } == (isNaive ? heard : heard + 1))
        #expect(phone.screen.incoming.isEmpty == isNaive)
        app.install()
        try await app.registerAndClose()
        app.push()
        await phone.settle()
        #expect(phone.screen.incoming.count == 1)
    }

    @Test("P04: a VoIP push that cancels a declined call gets the app killed", arguments: [true, false])
    func cancelPush(isNaive: Bool) async throws {
        let (phone, app) = try await make([.endsOnCancelPush], isNaive: isNaive)
        defer { phone.shutDown() }
        let call = UUID()
        app.push(call)
        await phone.advance(by: .seconds(2))
        try phone.user.decline()
        await phone.advance(by: .seconds(1))
        app.push(call, type: "cancel")
        await phone.advance(by: .seconds(10))
        #expect(phone.punishments.map(\.rule) == (isNaive ? ["K3"] : []))
        #expect(phone.snapshot.calls.isEmpty)
    }

    @Test(
        "P05: a refused report counts as reported; an app that expects success leaves push and call open",
        arguments: [true, false])
    func refusedReport(isNaive: Bool) async throws {
        for code in [3, 4] {
            let (phone, app) = try await make([.completesOnSuccessOnly, .opensMediaBeforeReport], isNaive: isNaive)
            defer { phone.shutDown() }
            if code == 3 {
                phone.user.setDoNotDisturb(true)
            } else {
                phone.user.block([HandleValue(type: 1, value: "Alice")])
            }
            app.push()
            await phone.advance(by: .seconds(40))
            #expect(app.events.contains("report refused: \(code)"))
            #expect(phone.punishments.isEmpty)
            #expect(phone.brokenRules == (isNaive ? ["R57"] : []))
            #expect(phone.snapshot.calls.isEmpty)
            #expect(app.media.count == (isNaive ? 1 : 0))
        }
    }

    @Test("P06: under Do Not Disturb every call leaves its media behind", arguments: [true, false])
    func mediaLeftOver(isNaive: Bool) async throws {
        let (phone, app) = try await make([.opensMediaBeforeReport], isNaive: isNaive)
        defer { phone.shutDown() }
        phone.user.setDoNotDisturb(true)
        // A process that stays alive: another app's call keeps none of it, so the pushes come close together.
        for _ in 1...20 {
            app.push()
            await phone.advance(by: .seconds(8))
        }
        #expect(phone.snapshot.calls.isEmpty)
        #expect(app.media.count == (isNaive ? 20 : 0))
    }

    @Test("P07: a push that the app exits on comes again, when its call is long over", arguments: [true, false])
    func exitOnPush(isNaive: Bool) async throws {
        let (phone, app) = try await make(
            [.exitsWithoutData, .dropsExpiredPushes], isNaive: isNaive, system: SystemVersion(26),
            dataProtection: .complete)
        defer { phone.shutDown() }
        let receipt = app.push(lasting: .seconds(30))
        await phone.advance(by: .seconds(60))
        let push = try #require(receipt.push)
        #expect(phone.receipt(of: push) == (isNaive ? .waiting(push: push) : .delivered(push: push)))
        phone.user.unlock()
        app.push()
        await phone.advance(by: .seconds(8))
        #expect(phone.timeline.entries.contains { $0.rule == "P07" } == isNaive)
        #expect(phone.punishments.map(\.rule) == (isNaive ? ["K3"] : []))
    }

    @Test(
        "P08, DTS1: a push registry of the first view controller is not there when a push launches the app",
        arguments: [true, false])
    func lateRegistry(isNaive: Bool) async throws {
        let (phone, app) = try await make([.registersInViewController], isNaive: isNaive)
        defer { phone.shutDown() }
        app.push()
        await phone.advance(by: .seconds(6))
        #expect(phone.punishments.isEmpty)
        await phone.advance(by: .seconds(2))
        #expect(phone.screen.incoming.isEmpty == isNaive)
        #expect(phone.punishments.map(\.code) == (isNaive ? ["0xbaadca11"] : []))
        #expect(phone.punishments.allSatisfy { $0.message.contains("no push registry") })
    }

    @Test("P09: before the first unlock a call screen flashes and is gone", arguments: [true, false])
    func beforeFirstUnlock(isNaive: Bool) async throws {
        let (phone, app) = try await make([.endsWithoutData], isNaive: isNaive) { $0.launchesBeforeFirstUnlock = true }
        defer { phone.shutDown() }
        phone.reboot()
        app.push()
        await phone.advance(by: .seconds(1))
        #expect(phone.timeline.entries.contains { $0.text == "rings" })
        #expect(phone.screen.incoming.isEmpty == isNaive)
        #expect(phone.recents.map(\.outcome) == (isNaive ? [.failed] : []))
    }

    @Test("P09, DTS6: of the pushes before the first unlock three come after it, the others never")
    func keptPushes() async throws {
        let (phone, app) = try await make([], isNaive: false)
        defer { phone.shutDown() }
        phone.reboot()
        let receipts = (1...5).map { _ in app.push() }
        await phone.advance(by: .seconds(10))
        #expect(receipts.suffix(2) == [.dropped, .dropped])
        #expect(app.events.isEmpty)
        phone.user.unlock()
        await phone.advance(by: .seconds(10))
        #expect(app.events.count { $0 == "push" } == 3)
        #expect(phone.brokenRules.isEmpty)
    }

    @Test(
        "P10: a delegate that has the method of iOS 26.4 alone takes no push before 26.4",
        arguments: [SystemVersion(26, 3), SystemVersion(26, 4)])
    func onlyNewMethod(system: SystemVersion) async throws {
        let (phone, app) = try await make([.hasOnlyNewPushMethod], isNaive: true, system: system)
        defer { phone.shutDown() }
        app.push()
        await phone.advance(by: .seconds(8))
        let isOld = system < SystemVersion(26, 4)
        #expect(phone.screen.incoming.isEmpty == isOld)
        #expect(phone.brokenRules == (isOld ? ["R56", "K4"] : []))
        #expect(phone.punishments.map(\.code) == (isOld ? ["0xbaadca11"] : []))
    }
}

/// Bodies that are JSON objects, and not what an app expects (P02).
enum OddBodies {
    static let all: [PushBody] = [
        [:], ["aps": [:]], ["call": 5, "caller": "Alice"], ["call": "no UUID", "caller": "Alice"],
        ["call": nil, "caller": nil], ["call": [], "caller": [:]],
        ["call": ["call": ["call": "x"]], "caller": "Alice"],
        ["caller": .string(String(repeating: "\u{202E}a", count: 500))], ["": ""],
        ["offhook": "{"], ["offhook": [1]], ["offhook": ["v": 99]], ["offhook": ["v": 1, "call": nil]],
    ]
}
