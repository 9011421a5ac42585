// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import Testing

@Suite struct CheckpointCodecTests {
    private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Golden/checkpoint.v1")

    private func error(of bytes: [UInt8]) -> CheckpointError? {
        do {
            _ = try CheckpointCodec.decode(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("R9: what was encoded is what is decoded", arguments: 0..<200) func roundTrip(_ seed: UInt64) throws {
        var random = TestRandom(seed: seed)
        let checkpoint = random.checkpoint()
        #expect(try CheckpointCodec.decode(CheckpointCodec.encode(checkpoint)) == checkpoint, "seed \(seed)")
    }

    @Test("R88: a file of schema 1 is read for ever, and written as it was") func golden() throws {
        let bytes = try [UInt8](Data(contentsOf: Self.golden))
        #expect(try CheckpointCodec.decode(bytes) == Fixture.checkpoint)
        #expect(CheckpointCodec.encode(Fixture.checkpoint) == bytes)
    }

    @Test("R9: every truncation is said to be one") func truncations() {
        let bytes = CheckpointCodec.encode(Fixture.checkpoint)
        for length in bytes.indices { #expect(error(of: Array(bytes[..<length])) == .truncated, "\(length)") }
        #expect(error(of: bytes + [0]) == .damaged)
    }

    @Test("R9: no flipped bit passes") func flips() {
        let bytes = CheckpointCodec.encode(Fixture.checkpoint)
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                #expect(error(of: flipped) != nil, "byte \(index), bit \(bit)")
            }
        }
    }

    @Test("R9: whatever the bytes, decoding ends, even with a right checksum", arguments: 0..<20)
    func hostile(_ seed: UInt64) {
        var random = TestRandom(seed: seed)
        let good = CheckpointCodec.encode(Fixture.checkpoint)
        for _ in 0..<500 {
            var body = Array(good[20...])
            for _ in 0...random.below(3) { body[random.below(body.count)] = UInt8(truncatingIfNeeded: random.next()) }
            if random.chance(3) { body.removeLast(random.below(body.count)) }
            if let read = try? CheckpointCodec.decode(sealed(body)) {
                #expect((try? CheckpointCodec.decode(CheckpointCodec.encode(read))) != nil, "seed \(seed)")
            }
            _ = error(of: (0..<random.below(200)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
    }

    /// A body under a header that fits it.
    private func sealed(_ body: [UInt8]) -> [UInt8] {
        var bytes = Array(CheckpointCodec.encode(Fixture.checkpoint)[..<8])
        withUnsafeBytes(of: UInt32(body.count).littleEndian) { bytes += $0 }
        withUnsafeBytes(of: Checksums.xxh64(body).littleEndian) { bytes += $0 }
        return bytes + body
    }

    @Test("R9: a newer schema is named, another kind of file is not a checkpoint") func headers() {
        var newer = CheckpointCodec.encode(Fixture.checkpoint)
        newer[4] = 2
        #expect(error(of: newer) == .newerSchema(2))
        newer[5] = 1
        #expect(error(of: newer) == .newerSchema(258))
        newer[4] = 0
        newer[5] = 0
        #expect(error(of: newer) == .damaged)
        #expect(error(of: Journal(generation: Fixture.generation, at: Fixture.start).image) == .damaged)
        #expect(error(of: []) == .truncated)
        let limit = CheckpointCodec.limit
        #expect(error(of: [UInt8](repeating: 0, count: limit + 1)) == .tooLarge(limit + 1))
    }

    @Test(
        "The checksum is XXH64",
        arguments: [
            ([UInt8](), 0xEF46_DB37_51D8_E999), ([0x61], 0xD24E_C4F1_A98C_6E5B),
            ([0x61, 0x62, 0x63], 0x44BC_2CF5_AD77_0999), ([UInt8](0..<16), 0x44B6_EF2F_B841_69F7),
            ([UInt8](0..<101), 0xE990_3849_5F85_381E),
            ((0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }, 0x2527_5608_A9CF_C168),
        ] as [([UInt8], UInt64)]) func checksum(_ bytes: [UInt8], _ sum: UInt64)
    {
        #expect(Checksums.xxh64(bytes) == sum)
    }
}
