// SPDX-License-Identifier: MIT

import CGStreamer
import Dispatch
import Foundation
import Offhook

// webrtcbin takes any certificate: the comparison with the description (RFC 8827, section 6.5) is made here.
extension WebRTCSession {
    /// Compares the peer's certificate with the fingerprint of its description, and opens the gates.
    func verifyPeer() {
        guard !isOver, !isConnected, let pipeline, let remote else { return }
        let certificates = pipeline.peerCertificates().compactMap(\.self)
        guard !certificates.isEmpty else {
            certificateLooks += 1
            guard certificateLooks < 200 else {
                return fail(MediaFailure(.peerIdentity, "the peer showed no certificate"))
            }
            queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in self?.verifyPeer() }
            return
        }
        guard certificates.allSatisfy({ Self.isCertificate($0, named: remote.fingerprints) }) else {
            return fail(
                MediaFailure(.peerIdentity, "the peer's certificate is not the one its description names"))
        }
        isConnected = true
        path.setVerified()
        emit(.connected)
    }

    /// Whether a certificate, PEM, has one of the fingerprints; hashes weaker than SHA-256 do not count.
    static func isCertificate(_ pem: String, named fingerprints: [AudioDescription.Fingerprint]) -> Bool {
        guard let octets = der(pem) else { return false }
        return fingerprints.contains { fingerprint in
            switch fingerprint.algorithm {
            case "sha-256": hash(octets, G_CHECKSUM_SHA256) == fingerprint.value
            case "sha-384": hash(octets, G_CHECKSUM_SHA384) == fingerprint.value
            case "sha-512": hash(octets, G_CHECKSUM_SHA512) == fingerprint.value
            default: false
            }
        }
    }

    private static func der(_ pem: String) -> [UInt8]? {
        guard let begin = pem.range(of: "-----BEGIN CERTIFICATE-----"),
            let end = pem.range(of: "-----END CERTIFICATE-----", range: begin.upperBound..<pem.endIndex)
        else { return nil }
        let text = pem[begin.upperBound..<end.lowerBound].filter { !$0.isWhitespace }
        return Data(base64Encoded: text).map { [UInt8]($0) }
    }

    private static func hash(_ octets: [UInt8], _ algorithm: GChecksumType) -> String? {
        guard let text = g_compute_checksum_for_data(algorithm, octets, gsize(octets.count)) else { return nil }
        defer { g_free(text) }
        return String(cString: text).uppercased()
    }
}
