// SPDX-License-Identifier: MIT

import Offhook
import Testing

@testable import OffhookMedia

@Suite struct DescriptionTests {
    /// As a browser offers voice: other codecs, header extensions, feedback.
    static let browserOffer = """
        v=0\r
        o=- 4611731400430051336 2 IN IP4 127.0.0.1\r
        s=-\r
        t=0 0\r
        a=group:BUNDLE 0\r
        a=extmap-allow-mixed\r
        a=msid-semantic: WMS stream\r
        m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126\r
        c=IN IP4 0.0.0.0\r
        a=rtcp:9 IN IP4 0.0.0.0\r
        a=candidate:1 1 udp 2122260223 192.0.2.7 54400 typ host generation 0\r
        a=ice-ufrag:EsAw\r
        a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1\r
        a=ice-options:trickle\r
        a=fingerprint:sha-256 D2:FA:0E:C3:22:59:5E:14:95:69:92:3D:13:B4:84:24:2C:C2:A2:C0:3E:FD:34:8E:5E:EA:6F:AF:52:CE:E6:0F\r
        a=setup:actpass\r
        a=mid:0\r
        a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level\r
        a=sendonly\r
        a=rtcp-mux\r
        a=rtpmap:111 opus/48000/2\r
        a=rtcp-fb:111 transport-cc\r
        a=fmtp:111 minptime=10;useinbandfec=1\r
        a=rtpmap:63 red/48000/2\r
        a=ssrc:3510681183 cname:loNPQEPgUHVBSAgA\r

        """

    @Test func aBrowsersOfferIsUnderstood() throws {
        let offer = try AudioDescription(parsing: Self.browserOffer)
        #expect(offer.payloadType == 111)
        #expect(offer.parameters == "minptime=10;useinbandfec=1")
        #expect(offer.direction == .sendonly)
        #expect(offer.setup == .actpass)
        #expect(offer.middle == "0")
        #expect(offer.fingerprints.count == 1)
        #expect(offer.candidates.count == 1)
        #expect(offer.sources == ["3510681183 cname:loNPQEPgUHVBSAgA"])
        var again = try AudioDescription(parsing: offer.description)
        again.candidates = offer.candidates
        #expect(again == offer)
        #expect(!offer.description.contains("192.0.2.7"))
    }

    @Test func everyCutAndEveryChangedByteIsReadOrRefused() {
        let good = Array(Self.browserOffer.utf8)
        var refused = 0
        for length in 0..<good.count where !Self.reads(Array(good[..<length])) { refused += 1 }
        #expect(refused > good.count / 2)
        for offset in good.indices {
            for value: UInt8 in [0, 10, 32, 48, 58, 61, 127, 255] {
                var bytes = good
                bytes[offset] = value
                _ = Self.reads(bytes)
            }
        }
    }

    @Test(arguments: [
        "v=0", "a=setup:actpass", "a=fingerprint:", "a=ice-ufrag:", "a=ice-pwd:", "m=audio", "a=rtpmap:111 ",
    ])
    func whatIsNeededIsMissed(prefix: String) {
        let lines = Self.browserOffer.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix(prefix) }
        let failure = #expect(throws: MediaFailure.self) {
            try AudioDescription(parsing: lines.joined(separator: "\r\n"))
        }
        #expect(failure?.code == .badSignal)
    }

    @Test(arguments: [
        ("candidate:1 1 UDP 2015364095 127.0.0.1 53217 typ host", true),
        ("candidate:1 1 UDP 2015364095 127.9.9.9 53217 typ host", true),
        ("candidate:1 1 UDP 2015364095 ::1 53217 typ host", true),
        ("candidate:1 1 UDP 2015364095 192.0.2.1 53217 typ host", false),
        ("candidate:1 1 UDP 2015364095 fe80::1 53217 typ host", false),
        ("candidate:1 1 UDP 2015364095 127.0.0.1.example 53217 typ host", false),
        ("candidate:1 1 UDP 2015364095 1270.0.0.1 53217 typ host", false),
        ("candidate:1 1 UDP 2015364095 a1b2.local 53217 typ host", false),
        ("candidate:1 1 UDP 1 127.0.0.1 5 typ srflx raddr 192.0.2.1 rport 9", false),
        ("", false),
    ])
    func loopbackIsRecognised(text: String, isLoopback: Bool) throws {
        let candidate = try IceCandidate(body: IceCandidate(text: text, line: 0).body)
        #expect(candidate.text == text)
        #expect(candidate.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "candidate:1 1 UDP 1 127.0.0.1 1 typ host", #"{"candidate":"candidate:"}"#,
        #"{"candidate":"candidate:1 1 UDP 1 127.0.0.1 99999 typ host"}"#,
        #"{"candidate":"candidate:1 1 UDP 1 127.0.0.1 9 typ host","sdpMLineIndex":1}"#,
        #"{"candidate":"candidate:1 1 UDP 1 127.0.0.1 9 typ host","sdpMLineIndex":-1}"#,
        #"{"candidate":"candidate:1 x UDP 1 127.0.0.1 9 typ host"}"#,
        "{\"candidate\":\"candidate:1 1 UDP 1 127.0.0.1 9 typ host\\u0000\"}",
    ])
    func spoiltCandidatesAreRefused(body: String) {
        let failure = #expect(throws: MediaFailure.self) { try IceCandidate(body: body) }
        #expect(failure?.code == .badSignal)
    }

    private static func reads(_ bytes: [UInt8]) -> Bool {
        (try? AudioDescription(parsing: String(decoding: bytes, as: UTF8.self))) != nil
    }
}
