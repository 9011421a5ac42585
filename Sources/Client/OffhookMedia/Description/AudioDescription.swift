// SPDX-License-Identifier: MIT

import Offhook

/// What of a session description (SDP, RFC 8866) a call's voice needs; the rest is left out on the way in and out.
///
/// webrtcbin never sees a description as the peer wrote it, only the text that this value prints: what it cannot do
/// (changes of direction, several sections, header extensions) does not reach it.
struct AudioDescription: Hashable, Sendable {
    /// Which way audio may go, seen from the describing side.
    enum Direction: String, Hashable, Sendable, CaseIterable {
        case sendrecv, sendonly, recvonly, inactive

        /// Whether the describing side takes audio.
        var receives: Bool { self == .sendrecv || self == .recvonly }
        /// Whether the describing side sends audio.
        var sends: Bool { self == .sendrecv || self == .sendonly }
    }

    /// The DTLS role (RFC 8842).
    enum Setup: String, Hashable, Sendable, CaseIterable {
        case actpass, active, passive
    }

    /// A certificate's hash (RFC 8122).
    struct Fingerprint: Hashable, Sendable {
        /// The hash's name in lower case, such as sha-256.
        var algorithm: String
        /// The hash in upper-case hexadecimal, without colons.
        var value: String
    }

    var session = "1"
    var version = 0
    var middle = "audio0"
    var user = ""
    var password = ""
    var fingerprints: [Fingerprint] = []
    var setup = Setup.actpass
    var direction = Direction.sendrecv
    /// The payload type of Opus, 0 to 127.
    var payloadType = 96
    /// Opus' parameters, such as useinbandfec=1; empty for none.
    var parameters = ""
    /// Synchronisation source lines, as they came.
    var sources: [String] = []
    /// Candidates that came inside the description.
    var candidates: [String] = []

    /// Whether both belong to the same transport, so that nothing but direction can differ.
    func isSameTransport(as other: AudioDescription) -> Bool {
        user == other.user && password == other.password && Set(fingerprints) == Set(other.fingerprints)
    }
}

extension AudioDescription: CustomStringConvertible {
    /// The description as SDP text, without candidates.
    var description: String {
        var lines = [
            "v=0", "o=- \(session) \(version) IN IP4 127.0.0.1", "s=-", "t=0 0", "a=ice-options:trickle",
            "a=group:BUNDLE \(middle)", "m=audio 9 UDP/TLS/RTP/SAVPF \(payloadType)", "c=IN IP4 0.0.0.0",
            "a=mid:\(middle)", "a=ice-ufrag:\(user)", "a=ice-pwd:\(password)",
        ]
        lines += fingerprints.map { "a=fingerprint:\($0.algorithm) \($0.colonForm)" }
        lines += [
            "a=setup:\(setup.rawValue)", "a=\(direction.rawValue)", "a=rtcp-mux", "a=rtcp-rsize",
            "a=rtpmap:\(payloadType) OPUS/48000/2",
        ]
        if !parameters.isEmpty { lines.append("a=fmtp:\(payloadType) \(parameters)") }
        lines += sources.map { "a=ssrc:\($0)" }
        return lines.map { $0 + "\r\n" }.joined()
    }
}

extension AudioDescription.Fingerprint {
    /// The hash in pairs of digits with colons between them.
    var colonForm: String {
        var text = ""
        for (index, digit) in value.enumerated() {
            if index > 0, index % 2 == 0 { text.append(":") }
            text.append(digit)
        }
        return text
    }
}
