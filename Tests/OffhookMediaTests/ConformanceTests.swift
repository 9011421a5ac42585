// SPDX-License-Identifier: MIT

import Offhook
import OffhookTesting
import Testing

@testable import OffhookMedia

extension RealMediaTests {
    /// The real engine on trial: Opus over DTLS-SRTP between two of its sessions.
    @Suite struct ConformanceTests {
        /// Counts frames, and those with sound in them.
        private final class Counter: AudioSink {
            private let counts = OffhookMedia.Locked((all: 0, sound: 0))

            var all: Int { counts.withLock { $0.all } }
            var sound: Int { counts.withLock { $0.sound } }

            func write(_ samples: [Int16], at time: SoundTime) {
                counts.withLock { counts in
                    counts.all += 1
                    if samples.contains(where: { $0 != 0 }) { counts.sound += 1 }
                }
            }

            func finish() {}
        }

        /// A tone that counts its frames.
        private final class CountingTone: AudioSource {
            private let tone = ToneSource()
            private let frames = OffhookMedia.Locked(0)

            var count: Int { frames.withLock { $0 } }

            func nextFrame() -> [Int16] {
                frames.withLock { $0 += 1 }
                return tone.nextFrame()
            }
        }

        private struct Place: Sendable {
            let microphone = CountingTone()
            let speaker = Counter()
            let sent = Counter()
        }

        private func candidate() -> MediaCandidate {
            let places = OffhookMedia.Locked<[MediaSessionConfiguration: Place]>([:])
            var options = MediaOptions()
            options.silenceLimit = .milliseconds(400)
            let engine = GStreamerMediaEngine(options: options) { configuration in
                let place = Place()
                places.withLock { $0[configuration] = place }
                return AudioPort(microphone: place.microphone, speaker: place.speaker, sent: place.sent)
            }
            func count(
                _ value: @escaping @Sendable (Place) -> Int
            ) -> @Sendable (MediaSessionConfiguration) -> Int {
                { configuration in places.withLock { $0[configuration] }.map(value) ?? 0 }
            }
            var probe = MediaProbe()
            probe.sent = count { $0.sent.all }
            probe.sentSound = count { $0.sent.sound }
            probe.played = count { $0.speaker.all }
            probe.captured = count { $0.microphone.count }
            return MediaCandidate(engine, probe: probe)
        }

        @Test("R91-R94, R119: the GStreamer engine keeps the media contract") func gstreamer() async throws {
            let report = try await MediaConformance { candidate() }.run()
            #expect(report.failures.isEmpty, "\(report)")
            // No audio session exists for it: the module does not even import AVFAudio.
            #expect(report.unchecked.map(\.clause) == [.audioSessionUntouched], "\(report)")
        }
    }
}
