// SPDX-License-Identifier: MIT

import CallKit
import Testing
import VirtualPhone

@Suite struct CallerTests {
    /// A new one for each phone: tests exchange what it does.
    private static var lists: Script {
        Script { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 4_930_111)
            context.addIdentificationEntry(withNextSequentialPhoneNumber: 4_930_222, label: "Bakery")
            context.addIdentificationEntry(withNextSequentialPhoneNumber: 4_930_222, label: "Second")
            script.complete(context)
        }
    }

    private func handle(_ number: String) -> HandleValue { HandleValue(type: 2, value: number) }

    @Test("D9, R113: a blocked number does not ring, an identified one shows its label")
    func blockedAndIdentified() async {
        let bench = DirectoryBench(CallerTests.lists)
        defer { bench.close() }
        await bench.enable()
        let directory = bench.phone.callDirectory
        #expect(directory.decision(for: "+4930111") == .blocked(extensionIdentifier: DirectoryBench.directory))
        #expect(
            directory.decision(for: "+49 (30) 222")
                == .identified(label: "Bakery", extensionIdentifier: DirectoryBench.directory))
        #expect(directory.decision(for: "+4930333") == .unknown)
        directory.setEnabled(DirectoryBench.directory, false)
        #expect(directory.decision(for: "+4930111") == .unknown)
    }

    @Test("D9: a number in Contacts is not blocked from iOS 18 on", arguments: [(17, true), (18, false)])
    func contacts(_ major: Int, _ isBlocked: Bool) async {
        let bench = DirectoryBench(CallerTests.lists, system: SystemVersion(major))
        defer { bench.close() }
        await bench.enable()
        bench.phone.user.setContacts([handle("+4930111"): "Ada", handle("+4930222"): "Bob"])
        #expect(bench.phone.callDirectory.decision(for: "+4930111").isBlocked == isBlocked)
        #expect(bench.phone.callDirectory.decision(for: "+4930222") == .contact(name: "Bob"))
    }

    @Test("D9: the user's block list comes before everything")
    func systemList() async {
        let bench = DirectoryBench(CallerTests.lists)
        defer { bench.close() }
        await bench.enable()
        bench.phone.user.setContacts([handle("+4930222"): "Bob"])
        bench.phone.user.block([handle("+4930222"), handle("+4930111")])
        #expect(bench.phone.callDirectory.decision(for: "+4930222") == .blockedByUser)
        #expect(bench.phone.callDirectory.decision(for: "+4930111") == .blockedByUser)
    }

    @Test("D9: the first extension of the user's order decides")
    func order() async {
        let other = DirectoryBench.directory + "2"
        let second = Script { context, script in
            context.addIdentificationEntry(withNextSequentialPhoneNumber: 4_930_222, label: "Other")
            script.complete(context)
        }
        let first = CallerTests.lists
        let bench = DirectoryBench(
            first, extensions: [DirectoryBench.scripted(first), DirectoryBench.scripted(second, other)])
        defer { bench.close() }
        await bench.enable()
        await bench.enable(other)
        #expect(bench.phone.callDirectory.decision(for: "+4930222").name == "Bakery")
        bench.phone.callDirectory.setOrder([other, DirectoryBench.directory])
        #expect(bench.phone.callDirectory.decision(for: "+4930222").name == "Other")
    }

    @Test("I9, bug 20: callers of calling apps are not matched, unless the setting says so", arguments: [false, true])
    func voip(_ matches: Bool) async {
        var settings = DirectorySettings()
        settings.matchesVoIPCallers = matches
        let bench = DirectoryBench(CallerTests.lists, settings: settings)
        defer { bench.close() }
        await bench.enable()
        #expect(bench.phone.callDirectory.decision(for: "+4930111", caller: .voip).isBlocked == matches)
        #expect(bench.phone.callDirectory.decision(for: "+4930222", caller: .voip).name == (matches ? "Bakery" : nil))
    }

    @Test(
        "R109: a number is country code and digits; other addresses have none",
        arguments: [
            ("+49 30-222", true), ("4930222", true), ("0049 30 222", true), ("+49.30.222", true), ("anna", false),
            ("", false), ("99999999999999999999", false),
        ])
    func numbers(_ text: String, _ isKnown: Bool) async {
        let bench = DirectoryBench(CallerTests.lists)
        defer { bench.close() }
        await bench.enable()
        #expect((bench.phone.callDirectory.decision(for: text) != .unknown) == isKnown)
    }
}
