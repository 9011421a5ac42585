// SPDX-License-Identifier: MIT

import CallKit
import Testing
import VirtualPhone

/// What a loaded list does to calls of the network: on the screen, in Recents, to observers.
@Suite struct CallScreenTests {
    private func bench(system: SystemVersion = SystemVersion(26, 4)) async -> DirectoryBench {
        let bench = DirectoryBench(
            Script { context, script in
                context.addBlockingEntry(withNextSequentialPhoneNumber: 4_930_111)
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 4_930_222, label: "Bakery")
                script.complete(context)
            }, system: system)
        await bench.enable()
        return bench
    }

    @Test("R113, D9: a blocked caller does not ring, and no observer hears of it")
    func blocked() async {
        let bench = await bench()
        defer { bench.close() }
        bench.phone.cellular.incoming(from: "+4930111")
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.isEmpty)
        #expect(bench.phone.snapshot.calls.isEmpty)
        #expect(bench.phone.timeline.entries.last?.text == "turned a blocked caller away")
        bench.phone.cellular.incoming(from: "+4930112")
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.count == 1)
    }

    @Test("R113, D9: an identified caller's card shows the label; a contact's shows the contact alone")
    func identified() async throws {
        let bench = await bench()
        defer { bench.close() }
        let call = bench.phone.cellular.incoming(from: "+49 30 222")
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.first?.directoryLabel == "Bakery")
        try bench.phone.cellular.endRemotely(call)
        await bench.phone.settle()
        bench.phone.user.setContacts([HandleValue(type: 2, value: "+4930222"): "Bob"])
        bench.phone.cellular.incoming(from: "+4930222")
        await bench.phone.settle()
        let card = try #require(bench.phone.screen.incoming.first)
        #expect(card.directoryLabel == nil)
        #expect(card.callerName == "Bob")
    }

    @Test(
        "D9: a number that the user called before is not blocked from iOS 26 on",
        arguments: [(18, true), (26, false)])
    func calledBefore(_ major: Int, _ isBlocked: Bool) async throws {
        let bench = await bench(system: SystemVersion(major))
        defer { bench.close() }
        let call = bench.phone.cellular.outgoing(to: "+4930111")
        try bench.phone.cellular.connect(call)
        try bench.phone.cellular.endRemotely(call)
        await bench.phone.settle()
        bench.phone.cellular.incoming(from: "+4930111")
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.isEmpty == isBlocked)
    }

    @Test("D8, D9: a list of an extension that the user switched off does nothing")
    func switchedOff() async {
        let bench = await bench()
        defer { bench.close() }
        bench.phone.callDirectory.setEnabled(DirectoryBench.directory, false)
        bench.phone.cellular.incoming(from: "+4930111")
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.count == 1)
    }
}
