// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

/// Times that are far away, run backwards, or are none.
@Suite(.timeLimit(.minutes(2)))
struct TimeAbuseTests {
    @Test("T6: clocks that jump by centuries during a call, forwards and backwards, end nothing")
    func jumps() async throws {
        let script = AbusedApp.Script { _, _ in }
        let phone = AbusedApp.phone(script: script)
        phone.open(AbusedApp.bundle)
        await phone.settle()
        try #require(script.newest.withLock { $0 }).report(UUID())
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        let years = Duration.seconds(500 * 365 * 86_400)
        for jump in [years, years, years * -9, years * 4, .seconds(Int64.max / 4), .seconds(-(Int64.max / 4))] {
            phone.faults.jumpClock(by: jump)
            await phone.advance(by: .seconds(1))
            try phone.user.setMuted(true)
            await phone.advance(by: .seconds(1))
            #expect(phone.snapshot.calls.first?.isMuted == true)
            try phone.user.setMuted(false)
            await phone.advance(by: .seconds(1))
            #expect(phone.snapshot.calls.count == 1 && phone.snapshot.isCallAudioActive)
        }
        await phone.advance(by: .seconds(-1_000_000))
        await phone.advance(by: years * 1000)
        try phone.user.hangUp()
        await phone.advance(by: .seconds(1))
        #expect(phone.recents.map(\.outcome) == [.answered])
        #expect(!phone.violations.contains { $0.rule == "R29" })
        phone.shutDown()
        script.newest.withLock { $0 = nil }
    }

    @Test("K8, K10: a push whose dates are none is like one without them")
    func pushDates() async throws {
        let none = Date(timeIntervalSinceReferenceDate: .nan)
        for (sentAt, expiration) in [(none, nil), (nil, none), (none, none), (Date.distantFuture, .distantFuture)] {
            let script = AbusedApp.Script { _, _ in }
            let phone = AbusedApp.phone(script: script)
            phone.open(AbusedApp.bundle)
            await phone.settle()
            phone.user.goHome()
            let token = try #require(phone.pushToken(for: AbusedApp.bundle))
            phone.setAirplaneMode(true)
            phone.receivePush(token: token, payload: Data("{}".utf8), sentAt: sentAt, expiration: expiration)
            await phone.advance(by: .seconds(3600))
            phone.setAirplaneMode(false)
            await phone.advance(by: .seconds(1))
            #expect(script.count(.push) == 1)
            #expect(phone.screen.incoming.count == 1)
            await phone.advance(by: .seconds(120))
            #expect(phone.screen.isHome)
            phone.shutDown()
            script.newest.withLock { $0 = nil }
        }
    }

    @Test("I6: deadlines that are as good as never pass in real time too", arguments: [1e12, 1e15, 4e18])
    func realClock(_ seconds: Double) async throws {
        var settings = PhoneSettings()
        settings.ringLimit = .after(.seconds(seconds))
        settings.backgroundTime = .seconds(seconds)
        settings.otherActionLimit = .seconds(seconds)
        let script = AbusedApp.Script { _, _ in }
        let phone = AbusedApp.phone(settings: settings, clock: .real, script: script)
        phone.open(AbusedApp.bundle)
        await phone.settle()
        try #require(script.newest.withLock { $0 }).report(UUID())
        try await phone.wait(for: { $0.screen.incoming.count == 1 }, timeout: .seconds(seconds))
        try phone.user.decline()
        try await phone.wait(for: { $0.calls.isEmpty })
        phone.shutDown()
        script.newest.withLock { $0 = nil }
    }
}
