// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Who calls, how it is shown, and what the user does later: names, bad input, answering, Recents, the person.
@Suite(.timeLimit(.minutes(1)))
struct CallerTests {
    private func card(
        _ handle: HandleValue, name: String? = nil, contacts: [Contact] = []
    ) async throws -> (PhoneBench, Screen.IncomingCard) {
        let bench = PhoneBench(locked: false)
        bench.phone.user.setContacts(contacts)
        let app = try await bench.open()
        var update = CallUpdateValue()
        update.remoteHandle = handle
        update.localizedCallerName = name
        app.report(Calls.first, update: update)
        await bench.phone.settle()
        return (bench, try #require(bench.phone.screen.incoming.first))
    }

    @Test("R24, I7: the contact of the address gives name and photo, however the address is written")
    func contacts() async throws {
        let people = [
            Contact(
                name: "Zoë",
                handles: [HandleValue(type: 2, value: "+49 30 1234-5"), HandleValue(type: 3, value: "Z@x.org")],
                photo: Data([7]))
        ]
        for handle in [HandleValue(type: 2, value: "+4930 12345"), HandleValue(type: 3, value: "z@X.ORG")] {
            let (bench, card) = try await card(handle, contacts: people)
            #expect(card.callerName == "Zoë" && card.photo == Data([7]))
            bench.close()
        }
        // A generic address is no number, a service number no other, and the app's name comes first.
        let others = [HandleValue(type: 1, value: "+4930 12345"), HandleValue(type: 2, value: "*4930#12345")]
        for handle in others {
            let (bench, card) = try await card(handle, contacts: people)
            #expect(card.callerName == handle.value && card.photo == nil)
            bench.close()
        }
        let (bench, named) = try await card(others[0], name: "Yan", contacts: people)
        #expect(named.callerName == "Yan")
        bench.close()
    }

    @Test("I9: Call Directory names no caller of an app, unless a setting says so; the contact comes first")
    func callDirectory() async throws {
        let (bench, card) = try await card(HandleValue(type: 2, value: "+15550100"))
        defer { bench.close() }
        #expect(card.directoryLabel == nil && card.callerName == "+15550100")
    }

    @Test(
        "R12, I7: names and addresses of any kind are shown on one safe line, and never in the timeline",
        arguments: [
            ("", "x"), (String(repeating: "A", count: 10_000), String(repeating: "A", count: 127) + "…"),
            ("\u{202E}evil\u{202C}", "evil"), ("a\nb\u{0}c\td", "a b c d"), ("\u{1B}[31mred", "[31mred"),
            ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("   ", "x"), ("שלום", "\u{2068}שלום\u{2069}"),
            ("e" + String(repeating: "\u{301}", count: 10_000), nil),
        ] as [(String, String?)])
    func badNames(_ name: String, _ shown: String?) async throws {
        let (bench, card) = try await card(HandleValue(type: 1, value: "x"), name: name)
        defer { bench.close() }
        if let shown { #expect(card.callerName == shown) }
        #expect(card.callerName.count <= 130 && card.callerName.unicodeScalars.count < 5_000)
        #expect(!card.callerName.unicodeScalars.contains { $0.properties.generalCategory == .control })
        try bench.phone.user.answer()
        await bench.phone.settle()
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        if name.count > 2, name.trimmingCharacters(in: .whitespaces) != "" {
            #expect(!bench.phone.timeline.description.contains(name.trimmingCharacters(in: .whitespaces)))
        }
        _ = try JSONEncoder().encode(bench.phone.screen)
        #expect(bench.phone.recents.first?.name == card.callerName)
    }

    @Test("R12: addresses of any kind leave the phone whole")
    func badAddresses() async throws {
        for value in ["", String(repeating: "9", count: 10_000), "\u{202E}\u{0}\u{7}", "+", "😀"] {
            for type in [1, 2, 3, -1, Int.max] {
                let (bench, card) = try await card(
                    HandleValue(type: type, value: value), contacts: [Contact(name: "A", handles: [])])
                #expect(card.address.count <= 128 && card.callerName == card.address)
                bench.close()
            }
        }
    }

    @Test("R37, R23: details may change while it rings and afterwards; Recents keep the last name")
    func updates() async throws {
        let (bench, card) = try await card(Calls.alice, name: "A")
        defer { bench.close() }
        #expect(card.callerName == "A")
        let app = try #require(bench.probe.app)
        app.update(Calls.first) { $0.localizedCallerName = "B" }
        #expect(bench.phone.screen.incoming.first?.callerName == "B")
        #expect(bench.phone.screen.incoming.first?.handle == Calls.alice)
        app.end(Calls.first, reason: 2)
        #expect(bench.phone.recents.first?.name == "B")
    }

    // MARK: - Answering

    @Test("I6: before iOS 16 nothing ends the ringing", arguments: [15, 16])
    func ringLimit(_ version: Int) async throws {
        let bench = PhoneBench(system: SystemVersion(version))
        defer { bench.close() }
        try await bench.ring()
        await bench.phone.advance(by: .seconds(600))
        #expect(bench.phone.screen.incoming.isEmpty == (version == 16))
    }

    @Test("I6: a setting gives the ringing any limit, or none", arguments: [RingLimit.after(.seconds(5)), .unlimited])
    func otherRingLimit(_ limit: RingLimit) async throws {
        var settings = PhoneSettings()
        settings.ringLimit = limit
        let bench = PhoneBench(settings: settings)
        defer { bench.close() }
        try await bench.ring()
        await bench.phone.advance(by: .seconds(70))
        #expect(bench.phone.recents.map(\.outcome) == (limit == .unlimited ? [] : [.missed]))
    }

    @Test("P55, R75, R76: a video call answered on the locked phone shows no picture until it is unlocked")
    func lockedVideo() async throws {
        var behavior = RawApp.Behavior()
        behavior.update.hasVideo = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        #expect(bench.phone.screen.isLocked && bench.phone.screen.foregroundApp == nil)
        #expect(bench.phone.screen.inCall.map(\.showsVideo) == [false])
        #expect(bench.phone.snapshot.isCallAudioActive)
        bench.phone.user.unlock()
        await bench.phone.settle()
        #expect(bench.phone.screen.foregroundApp == PhoneBench.bundle)
        #expect(bench.phone.screen.inCall.map(\.showsVideo) == [true])
    }

    @Test(
        "P55, R75: unlocked, a video call opens its app at once, a voice call does not",
        arguments: [true, false])
    func unlocked(_ hasVideo: Bool) async throws {
        var behavior = RawApp.Behavior()
        behavior.update.hasVideo = hasVideo
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        bench.phone.user.unlock()
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(bench.phone.screen.foregroundApp == (hasVideo ? PhoneBench.bundle : nil))
    }

    // MARK: - Recents

    private func attach(_ bench: PhoneBench) throws -> UUID {
        let app = try #require(bench.probe.app)
        let application = UUID()
        app.process.attach(application, queue: app.queue) { [probe = bench.probe] event in
            if case .application(_, .continueActivity(let activity)) = event {
                probe.saw("activity \(activity.handle?.value ?? "-") \(activity.isVideo)")
            }
        }
        app.process.send(.application(.attach(application: application)))
        return application
    }

    @Test("P46, R123: a tap in Recents opens the app and hands it an INStartCallIntent, warm and cold")
    func redial() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        _ = try attach(bench)
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        try bench.phone.user.tapRecent()
        await bench.phone.settle()
        #expect(bench.probe.events.filter { $0.hasPrefix("activity") } == ["activity alice false"])
        #expect(bench.phone.screen.foregroundApp == PhoneBench.bundle && !bench.phone.screen.isLocked)
        try bench.phone.user.close(PhoneBench.bundle)
        bench.probe.forgetEvents()
        try bench.phone.user.tapRecent(Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .foreground)
        #expect(!bench.probe.events.contains { $0.hasPrefix("activity") })
        // The application object comes late.
        await bench.phone.advance(by: .seconds(3))
        _ = try attach(bench)
        await bench.phone.settle()
        #expect(bench.probe.events.filter { $0.hasPrefix("activity") } == ["activity alice false"])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("R123, R124: contacts and Siri ask in the same way; the latest request counts; nobody there is a violation")
    func requests() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        try bench.phone.user.callFromContacts(Calls.alice, with: PhoneBench.bundle)
        try bench.phone.user.askSiri(
            toCall: HandleValue(type: 1, value: "bob"), with: PhoneBench.bundle, isVideo: true)
        await bench.phone.settle()
        _ = try attach(bench)
        await bench.phone.settle()
        #expect(bench.probe.events.filter { $0.hasPrefix("activity") } == ["activity bob true"])
        try bench.phone.user.close(PhoneBench.bundle)
        try bench.phone.user.callFromContacts(Calls.alice, with: PhoneBench.bundle)
        await bench.phone.advance(by: .seconds(11))
        #expect(bench.phone.violations.map(\.rule) == ["R123"])
        #expect(throws: PhoneUserError.appNotInstalled("no.app")) {
            try bench.phone.user.callFromContacts(Calls.alice, with: "no.app")
        }
        #expect(throws: PhoneUserError.noCall) { try bench.phone.user.tapRecent() }
    }

    @Test("R123: a line of Recents of a cellular call dials it again")
    func redialCellular() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        bench.phone.cellular.incoming(from: "5")
        try bench.phone.cellular.endRemotely()
        try bench.phone.user.tapRecent()
        #expect(bench.phone.snapshot.calls.map(\.isOutgoing) == [true])
        #expect(bench.phone.snapshot.calls.first?.handle?.value == "5")
    }

    // MARK: - The person

    @Test("A1: a person with an intention answers and hangs up at the moment it names")
    func answersAndHangsUp() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        await bench.phone.user.answers(after: .seconds(2), hangsUpAfter: .seconds(10))
        try await bench.ring()
        await bench.phone.advance(by: .milliseconds(1_999))
        #expect(bench.phone.screen.incoming.count == 1)
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.phone.screen.inCall.count == 1)
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.recents.map(\.duration) == [.seconds(10)])
        #expect(bench.phone.screen.isHome && bench.phone.violations.isEmpty)
    }

    @Test("E1, I6: a person declines, ignores, or is slower than the phone's own limit")
    func otherPersons() async throws {
        for (time, outcome) in [(Duration.seconds(3), RecentCall.Outcome.declined), (.seconds(60), .missed)] {
            let bench = PhoneBench()
            await bench.phone.user.declines(after: time)
            try await bench.ring()
            await bench.phone.advance(by: .seconds(60))
            #expect(bench.phone.recents.map(\.outcome) == [outcome])
            bench.close()
        }
        let bench = PhoneBench()
        defer { bench.close() }
        await bench.phone.user.declines(after: .seconds(1))
        await bench.phone.user.ignores()
        try await bench.ring()
        await bench.phone.advance(by: .seconds(59))
        #expect(bench.phone.screen.incoming.count == 1)
        // An intention that comes later counts from then on.
        await bench.phone.user.answers(after: .milliseconds(500))
        await bench.phone.advance(by: .milliseconds(600))
        #expect(bench.phone.screen.inCall.count == 1)
        await bench.phone.user.hangsUp(after: .seconds(1))
        await bench.phone.advance(by: .seconds(2))
        #expect(bench.phone.screen.isHome)
    }
}
