// SPDX-License-Identifier: MIT

import Foundation
import Offhook

/// An ICE candidate as it travels: JSON like a browser's RTCIceCandidateInit.
struct IceCandidate: Hashable, Sendable {
    /// The candidate attribute, "candidate:…" (RFC 8839); empty at the end of candidates.
    var text: String
    /// The media section's place.
    var line: Int

    private struct Body: Codable {
        var candidate: String
        var sdpMLineIndex: Int?
    }

    init(text: String, line: Int) {
        self.text = text
        self.line = line
    }

    /// Reads a signal's body.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `badSignal`.
    init(body: String) throws(MediaFailure) {
        guard let body = try? JSONDecoder().decode(Body.self, from: Data(body.utf8)) else {
            throw Self.bad("it is not JSON with a candidate")
        }
        line = body.sdpMLineIndex ?? 0
        guard line == 0 else { throw Self.bad("there is one media section, 0") }
        text = body.candidate.hasPrefix("a=") ? String(body.candidate.dropFirst(2)) : body.candidate
        guard text.isEmpty || Self.fields(text) != nil else {
            throw Self.bad("it is not foundation, component, transport, priority, address, port and type")
        }
    }

    /// The signal's body.
    var body: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try? encoder.encode(Body(candidate: text, sdpMLineIndex: line))
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The address that packets are to go to; nil when the candidate is empty or cannot be read.
    var address: String? {
        Self.fields(text).map { String($0[4]) }
    }

    /// Whether the candidate and the address related to it are of this machine alone.
    var isLoopback: Bool {
        guard let fields = Self.fields(text) else { return false }
        var addresses = [String(fields[4])]
        if let related = fields.firstIndex(of: "raddr"), related + 1 < fields.count {
            addresses.append(String(fields[related + 1]))
        }
        return addresses.allSatisfy { Self.isLoopback($0) }
    }

    static func isLoopback(_ address: String) -> Bool {
        var parsed = in_addr()
        if inet_pton(AF_INET, address, &parsed) == 1 { return UInt32(bigEndian: parsed.s_addr) >> 24 == 127 }
        return address == "::1"
    }

    private static func fields(_ text: String) -> [Substring]? {
        guard text.hasPrefix("candidate:"), text.utf8.count <= 1_000,
            text.utf8.allSatisfy({ (32..<127).contains($0) })
        else { return nil }
        let fields = text.dropFirst("candidate:".count).split(separator: " ")
        guard fields.count >= 8, fields[6] == "typ", let component = Int(fields[1]), (1...256).contains(component),
            UInt32(fields[3]) != nil, let port = Int(fields[5]), (0...65_535).contains(port)
        else { return nil }
        return fields
    }

    private static func bad(_ reason: String) -> MediaFailure {
        MediaFailure(.badSignal, "the candidate cannot be used: \(reason)")
    }
}
