// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookWire

/// wire.decode and wire.encode: what reading and writing a signaling message costs.
///
/// Beside them JSONDecoder and JSONEncoder do the cheapest work that would do: one flat Codable structure of optionals,
/// nothing checked and no message made of it.
enum WireBenchmark {
    static let benchmark = Benchmark(
        ids: ["wire.decode", "wire.encode"], summary: "signaling messages from and to JSON, beside Foundation's coders",
        run: { try decodeRows() + encodeRows() })

    private static let count = 20_000
    private static let rounds = 7

    private static func decodeRows() throws -> [BenchmarkRow] {
        let decoder = JSONDecoder()
        var media: [(n: Int, total: Double)] = []
        return try WireSamples.client.map { name, message in
            let text = WireCodec.encode(message)
            let (own, peer) = try measure {
                let read = try WireCodec.decodeClientMessage(text)
                precondition(read.id == message.id, "a message reads back")
            } beside: {
                let read = try decoder.decode(CodableFrame.self, from: Data(text.utf8))
                precondition(read.id == message.id, "a frame reads back")
            }
            var note = "\(name), \(text.utf8.count) bytes"
            if name.hasPrefix("media") { media.append((text.utf8.count, own)) }
            if media.count == 2 { note += "; " + Growth.note(media[0], media[1]) + " bytes" }
            return row("wire.decode", own, note: note).beside("JSONDecoder", peer, better: .lower)
        }
    }

    private static func encodeRows() throws -> [BenchmarkRow] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        var media: [(n: Int, total: Double)] = []
        return try WireSamples.server.map { name, message in
            let text = WireCodec.encode(message)
            let frame = try JSONDecoder().decode(CodableFrame.self, from: Data(text.utf8))
            let (own, peer) = try measure {
                precondition(WireCodec.encode(message).utf8.count == text.utf8.count, "the same text every time")
            } beside: {
                let theirs = String(decoding: try encoder.encode(frame), as: UTF8.self)
                precondition(theirs.utf8.count == text.utf8.count, "the coders write the same fields")
            }
            var note = "\(name), \(text.utf8.count) bytes"
            if name.hasPrefix("media") { media.append((text.utf8.count, own)) }
            if media.count == 2 { note += "; " + Growth.note(media[0], media[1]) + " bytes" }
            return row("wire.encode", own, note: note).beside("JSONEncoder", peer, better: .lower)
        }
    }

    private static func row(_ id: String, _ microseconds: Double, note: String) -> BenchmarkRow {
        BenchmarkRow(id, n: count, value: microseconds, unit: "µs CPU/message", note: note)
    }

    /// The median of several rounds of each, in turns; in microseconds of this thread's processor time.
    private static func measure(
        _ own: () throws -> Void, beside peer: () throws -> Void
    ) rethrows -> (own: Double, peer: Double) {
        var costs: (own: [Double], peer: [Double]) = ([], [])
        for round in 0...rounds {
            let cost = (own: try seconds(own), peer: try seconds(peer))
            // The first round warms up.
            if round > 0 {
                costs.own.append(cost.own)
                costs.peer.append(cost.peer)
            }
        }
        let scale = 1e6 / Double(count)
        return (costs.own.sorted()[rounds / 2] * scale, costs.peer.sorted()[rounds / 2] * scale)
    }

    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let before = Stopwatch.threadSeconds()
        for _ in 0..<count { try work() }
        return Stopwatch.threadSeconds() - before
    }
}
