// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The device: power, protected data, keychain, region, clock, disk.
@Suite(.timeLimit(.minutes(1)))
struct DeviceTests {
    private func push(_ bench: PhoneBench, _ token: Data) async -> PushReceipt {
        let receipt = bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        return receipt
    }

    @Test("R78: a reboot ends every process and call, and locks the phone")
    func reboot() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.phone.reboot()
        await bench.phone.settle()
        #expect(bench.phone.screen.isLocked)
        #expect(bench.phone.snapshot.calls.isEmpty)
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .notRunning)
        #expect(bench.phone.deaths.last?.code == "rebooted")
        #expect(!bench.phone.snapshot.isCallAudioActive && !bench.phone.snapshot.wasUnlocked)
        #expect(bench.phone.recents.count == 1)
    }

    @Test("DTS6: before the first unlock three pushes are kept and come after it; the rest is dropped")
    func beforeFirstUnlock() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.reboot()
        var receipts: [PushReceipt] = []
        for _ in 0..<5 { receipts.append(await push(bench, token)) }
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .notRunning)
        #expect(receipts.suffix(2) == [.dropped, .dropped])
        let kept = receipts.compactMap(\.push)
        #expect(kept.count == 3)
        bench.phone.user.unlock()
        await bench.phone.settle()
        for id in kept { #expect(bench.phone.receipt(of: id) == .delivered(push: id)) }
        #expect(bench.phone.snapshot.wasUnlocked)
    }

    @Test("DTS6, P09: a setting launches apps before the first unlock; their files cannot be read then")
    func launchedBeforeFirstUnlock() async throws {
        var settings = PhoneSettings()
        settings.launchesBeforeFirstUnlock = true
        let bench = PhoneBench(settings: settings)
        defer { bench.close() }
        let token = try await bench.register()
        let container = try #require(bench.phone.container(of: PhoneBench.bundle))
        let file = container.appending(path: "state/checkpoint")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("kept".utf8).write(to: file)
        bench.phone.reboot()
        _ = await push(bench, token)
        #expect(bench.phone.screen.incoming.count == 1)
        let app = try #require(bench.probe.app)
        #expect(app.process.container == container)
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(open(file.path, O_RDWR) == -1 && errno == EISDIR)
        #expect(open(container.appending(path: "other").path, O_RDONLY) == -1 && errno == ENOENT)
        #expect(throws: (any Error).self) { try Data(contentsOf: file) }
        #expect(throws: (any Error).self) { try Data("new".utf8).write(to: file, options: .atomic) }
        bench.phone.user.unlock()
        #expect(try Data(contentsOf: file) == Data("kept".utf8))
        bench.phone.user.lock()
        #expect(try Data(contentsOf: file) == Data("kept".utf8))
    }

    @Test("R78: complete protection closes files with each lock; a container goes with its app")
    func completeProtection() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        var app = PhoneBench.app(bench.probe, bundle: "closed.app")
        app.dataProtection = .complete
        app.appGroups = ["group.calls"]
        bench.phone.install(app)
        let container = try #require(bench.phone.container(of: "closed.app"))
        let file = container.appending(path: "secret")
        try Data("secret".utf8).write(to: file)
        let shared = try #require(bench.phone.container(ofGroup: "group.calls")).appending(path: "list")
        try Data("list".utf8).write(to: shared)
        bench.phone.user.lock()
        #expect(throws: (any Error).self) { try Data(contentsOf: file) }
        #expect(try Data(contentsOf: shared) == Data("list".utf8))
        bench.phone.reboot()
        #expect(throws: (any Error).self) { try Data(contentsOf: shared) }
        bench.phone.user.unlock()
        #expect(try Data(contentsOf: file) == Data("secret".utf8))
        #expect(try Data(contentsOf: shared) == Data("list".utf8))
        bench.phone.install(app)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        #expect(bench.phone.container(of: "missing.app") == nil)
    }

    // MARK: - Keychain (R79)

    private func keychain(_ app: RawApp, _ request: KeychainRequest) throws -> (Int32, [KeychainItemValue]) {
        guard case .keychain(let status, let items) = app.process.send(.application(.keychain(request))) else {
            throw CancellationError()
        }
        return (status, items)
    }

    private func item(_ account: String, _ accessible: String, _ data: String = "secret") -> KeychainItemValue {
        KeychainItemValue(
            itemClass: "genp", attributes: ["acct": account], accessible: accessible, data: Data(data.utf8))
    }

    private func query(_ account: String) -> KeychainQueryValue {
        KeychainQueryValue(itemClass: "genp", attributes: ["acct": account], wantsData: true)
    }

    @Test(
        "R79: which keychain items can be read: before the first unlock, locked, unlocked",
        arguments: [
            ("ak", [-25308, -25308, 0]), ("aku", [-25308, -25308, 0]), ("akpu", [-25308, -25308, 0]),
            ("ck", [-25308, 0, 0]), ("cku", [-25308, 0, 0]), ("dk", [0, 0, 0]), ("dku", [0, 0, 0]),
        ])
    func accessibility(_ accessible: String, _ statuses: [Int32]) async throws {
        var settings = PhoneSettings()
        settings.launchesBeforeFirstUnlock = true
        let bench = PhoneBench(locked: false, settings: settings)
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.user.unlock()
        #expect(try keychain(try await bench.open(), .add(item("a", accessible))).0 == 0)
        bench.phone.reboot()
        _ = await push(bench, token)
        let app = try #require(bench.probe.app)
        #expect(try keychain(app, .find(query("a"))).0 == statuses[0])
        bench.phone.user.unlock()
        bench.phone.user.lock()
        #expect(try keychain(app, .find(query("a"))).0 == statuses[1])
        #expect(try keychain(app, .update(query("a"), KeychainChangesValue(data: Data()))).0 == statuses[1])
        bench.phone.user.unlock()
        #expect(try keychain(app, .find(query("a"))).0 == statuses[2])
        bench.phone.user.lock()
        #expect(try keychain(app, .delete(query("a"))).0 == 0)
        #expect(try keychain(app, .find(query("a"))).0 == -25300)
    }

    @Test("R79: the keychain outlives a reinstallation; duplicates, foreign groups and no passcode are refused")
    func keychainErrors() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        var app = try await bench.open()
        #expect(try keychain(app, .add(item("a", "ck"))).0 == 0)
        #expect(try keychain(app, .add(item("a", "ck"))).0 == -25299)
        var foreign = item("b", "ck")
        foreign.attributes["agrp"] = "other.app"
        #expect(try keychain(app, .add(foreign)).0 == -34018)
        bench.phone.setPasscode(false)
        #expect(try keychain(app, .add(item("c", "akpu"))).0 == -25293)
        bench.phone.faults.fillDisk(true)
        #expect(try keychain(app, .add(item("d", "ck"))).0 == -34)
        #expect(try keychain(app, .update(query("a"), KeychainChangesValue(data: Data()))).0 == -34)
        bench.phone.faults.fillDisk(false)
        bench.phone.install(PhoneBench.app(bench.probe))
        app = try await bench.open()
        #expect(try keychain(app, .find(query("a"))).1.map(\.data) == [Data("secret".utf8)])
    }

    @Test("disk-full: a call leaves nothing in Recents, and the phone goes on")
    func diskFullRecents() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        bench.phone.faults.fillDisk(true)
        try await bench.ring()
        try bench.phone.user.decline()
        await bench.phone.settle()
        #expect(bench.phone.recents.isEmpty && bench.phone.snapshot.calls.isEmpty)
    }

    // MARK: - Clock and region

    @Test("T6: clock-jump: the app's time of day jumps, deadlines do not", arguments: [-86_400, 86_400])
    func clockJump(_ seconds: Int) async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.jumpClock(by: .seconds(seconds))
        #expect(app.process.now == bench.phone.now.addingTimeInterval(TimeInterval(seconds)))
        bench.probe.behavior.completes = ["start": .never]
        app.request([(Calls.first, .start(handle: Calls.alice, contactIdentifier: nil, isVideo: false))])
        await bench.phone.settle()
        let action = try #require(bench.probe.pending.first)
        #expect(action.timeoutDate == app.process.now.addingTimeInterval(600))
        await bench.phone.advance(by: .seconds(599))
        #expect(bench.phone.violations.isEmpty)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
    }

    @Test("R132, P47: in the region CN making a provider, a registry or a controller is a violation")
    func china() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        bench.phone.setRegion("cn")
        let app = try await bench.open()
        app.process.send(.createPushRegistry(registry: UUID()))
        #expect(Set(bench.phone.violations.map(\.rule)) == ["R132"])
        #expect(bench.phone.violations.count == 3)
        #expect(bench.phone.snapshot.region == "CN")
    }
}
