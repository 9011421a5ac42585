// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore
import Testing

@testable import OffhookMedia

extension RealMediaTests {
    @Suite struct IdentityTests {
        @Test(
            "a certificate that the description does not name ends the session before any audio",
            arguments: [MediaSessionConfiguration.Role.offerer, .answerer])
        func tamperedFingerprint(of role: MediaSessionConfiguration.Role) async throws {
            let call = try TestCall(callerSays: ToneSource(), calleeSays: ToneSource()) { from, signal in
                guard from == role, signal.kind != .candidate else { return signal }
                var signal = signal
                signal.body = Self.tampered(signal.body)
                return signal
            }
            call.openAudio()
            let deceived = role == .offerer ? call.callee : call.caller
            let failure = try await deceived.waitForFailure()
            #expect(failure.code == .peerIdentity)
            #expect(!deceived.events.contains(.connected))
            #expect(deceived.heard.recording.samples.isEmpty)
            #expect(deceived.sent.recording.samples.isEmpty)
            await call.close()
            #expect(deceived.heard.recording.samples.isEmpty)
            #expect(deceived.sent.recording.samples.isEmpty)
        }

        @Test func weakHashesDoNotCount() {
            let pem = "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n"
            let right = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"
            let sha1 = "A9993E364706816ABA3E25717850C26C9CD0D89D"
            #expect(WebRTCSession.isCertificate(pem, named: [.init(algorithm: "sha-256", value: right)]))
            #expect(!WebRTCSession.isCertificate(pem, named: [.init(algorithm: "sha-1", value: sha1)]))
            #expect(!WebRTCSession.isCertificate(pem, named: [.init(algorithm: "sha-256", value: sha1)]))
            #expect(!WebRTCSession.isCertificate("nonsense", named: [.init(algorithm: "sha-256", value: right)]))
            #expect(!WebRTCSession.isCertificate(pem, named: []))
        }

        static func tampered(_ description: String) -> String {
            description.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
                guard line.hasPrefix("a=fingerprint:sha-256 ") else { return String(line) }
                return line.dropLast() + (line.last == "0" ? "1" : "0")
            }.joined(separator: "\r\n")
        }
    }
}
