// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import VirtualPhone

@Suite struct ProcessMemoryTests {
    private func reading(data: Int = 8000, highest: Int, anonymous: Int, file: Int) throws -> ProcessMemory.Reading {
        let status = """
            Name:\tx 9
            VmHWM:\t   \(highest) kB
            RssAnon:\t    \(anonymous) kB
            RssFile:\t    \(file) kB
            RssShmem:\t       0 kB
            VmData:\t    \(data) kB

            """
        return try #require(Array(status.utf8).withUnsafeBytes { ProcessMemory.Reading($0) })
    }

    @Test("P48: what the kernel says of a process is read in bytes")
    func reading() throws {
        let reading = try reading(data: 7828, highest: 38_540, anonymous: 3252, file: 35_288)
        #expect(reading.size == 7828 << 10)
        #expect(reading.inUse == 3252 << 10)
        #expect(reading.shared == 35_288 << 10)
        #expect(reading.highest == 38_540 << 10)
        #expect([UInt8]("hello".utf8).withUnsafeBytes { ProcessMemory.Reading($0) } == nil)
        #expect(try #require(ProcessMemory.read("self")).inUse > 0)
        #expect(ProcessMemory.read("0") == nil)
    }

    @Test("P48: a mapped file that was let go is no private memory")
    func mappedFile() throws {
        var peak = ProcessMemory.Peak()
        #expect(!peak.take(try reading(highest: 20_000, anonymous: 2600, file: 17_400)))
        #expect(peak.take(try reading(highest: 55_252, anonymous: 3252, file: 52_000)))
        #expect(!peak.take(try reading(highest: 55_252, anonymous: 3252, file: 17_400)))
        #expect(peak.bytes == 652 << 10)
    }

    @Test("P48: memory that came and went between two readings counts")
    func spike() throws {
        var peak = ProcessMemory.Peak()
        #expect(!peak.take(try reading(highest: 20_000, anonymous: 2600, file: 17_400)))
        #expect(peak.take(try reading(highest: 60_000, anonymous: 3000, file: 17_400)))
        #expect(peak.bytes == 40_000 << 10)
    }
}
