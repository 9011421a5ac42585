// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore
import Testing

@testable import OffhookMedia

@Suite(.serialized)
struct VoiceTests {
    @Test("R94: voice goes both ways and is recognised at the other end")
    func voiceGoesBothWays() async throws {
        let said = syntheticVoice(.seconds(3))
        let replied = syntheticVoice(.seconds(3), pitch: 190)
        let call = try TestCall(callerSays: WAVSource(said), calleeSays: WAVSource(replied))
        try await call.connected()
        call.openAudio()
        try await call.callee.hears(.seconds(3))
        try await call.caller.hears(.seconds(3))
        try await call.caller.wait(for: .remoteMedia)
        try await call.callee.wait(for: .remoteMedia)
        await call.close()
        let there = bestCorrelation(of: said, in: call.callee.heard.recording)
        let back = bestCorrelation(of: replied, in: call.caller.heard.recording)
        #expect(there.value >= 0.8 && back.value >= 0.8)
        let delay = try #require(voiceDelay(from: call.caller.sent.recording, to: call.callee.heard.recording))
        #expect(delay.value >= 0.8)
        print("there", there, "back", back, "delay", delay)
        print(call.caller.events.map { "\($0)" }.joined(separator: "\n"))
    }
}
