// SPDX-License-Identifier: MIT

#if canImport(WebRTC) && !os(macOS)

    import Foundation
    import WebRTC

    /// RTCPeerConnection as the adapter uses it (RTCPeerConnection.h, RTCRtpSender.h, RTCDtmfSender.h).
    final class WebRTCConnection: NSObject, PeerConnection, RTCPeerConnectionDelegate {
        private let connection: RTCPeerConnection
        private let sender: RTCRtpSender?
        private let microphone: RTCAudioTrack
        private let report: @Sendable (PeerReport) -> Void
        private static let constraints = RTCMediaConstraints(mandatoryConstraints: nil, optionalConstraints: nil)

        init(
            factory: RTCPeerConnectionFactory, iceServers: [WebRTCMediaEngine.IceServer],
            report: @escaping @Sendable (PeerReport) -> Void
        ) throws {
            let configuration = RTCConfiguration()
            configuration.sdpSemantics = .unifiedPlan
            configuration.bundlePolicy = .maxBundle
            configuration.iceServers = iceServers.map {
                RTCIceServer(urlStrings: [$0.url], username: $0.username, credential: $0.credential)
            }
            guard
                let connection = factory.peerConnection(
                    with: configuration, constraints: WebRTCConnection.constraints, delegate: nil)
            else { throw MediaFailure(.engine, "WebRTC made no peer connection.") }
            self.connection = connection
            self.report = report
            microphone = factory.audioTrack(with: factory.audioSource(with: nil), trackId: "microphone")
            sender = connection.add(microphone, streamIds: ["call"])
            super.init()
            connection.delegate = self
        }

        func describe(_ kind: PeerDescription, _ reply: @escaping @Sendable (Result<String, MediaFailure>) -> Void) {
            let connection = self.connection
            let made: (RTCSessionDescription?, (any Error)?) -> Void = { description, error in
                guard let description else {
                    let reason = error.map { ": \($0)" } ?? ""
                    return reply(.failure(MediaFailure(.engine, "WebRTC made no \(kind.rawValue)\(reason)")))
                }
                connection.setLocalDescription(description) { error in
                    reply(error.map { .failure(MediaFailure(.engine, "\($0)")) } ?? .success(description.sdp))
                }
            }
            switch kind {
            case .offer: connection.offer(for: WebRTCConnection.constraints, completionHandler: made)
            case .answer: connection.answer(for: WebRTCConnection.constraints, completionHandler: made)
            }
        }

        func setRemote(
            _ kind: PeerDescription, _ text: String, _ reply: @escaping @Sendable (Result<Void, MediaFailure>) -> Void
        ) {
            let description = RTCSessionDescription(type: kind == .offer ? .offer : .answer, sdp: text)
            connection.setRemoteDescription(description) { error in
                reply(error.map { .failure(MediaFailure(.badSignal, "\($0)")) } ?? .success(()))
            }
        }

        func addCandidate(_ body: String) {
            guard let candidate = try? JSONDecoder().decode(Candidate.self, from: Data(body.utf8)) else { return }
            connection.add(
                RTCIceCandidate(
                    sdp: candidate.candidate, sdpMLineIndex: candidate.sdpMLineIndex, sdpMid: candidate.sdpMid)
            ) { _ in }
        }

        // The `transport` report names the remote certificate's report (W3C webrtc-stats, RTCCertificateStats).
        func readFingerprints(_ reply: @escaping @Sendable (Set<PeerFingerprint>) -> Void) {
            connection.statistics { report in
                var found: Set<PeerFingerprint> = []
                for transport in report.statistics.values where transport.type == "transport" {
                    guard let id = transport.values["remoteCertificateId"] as? String,
                        let values = report.statistics[id]?.values,
                        let algorithm = values["fingerprintAlgorithm"] as? String,
                        let value = values["fingerprint"] as? String
                    else { continue }
                    found.insert(PeerFingerprint(algorithm: algorithm, value: value))
                }
                reply(found)
            }
        }

        func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void) {
            connection.statistics { report in
                let packets = report.statistics.values.filter { $0.type == "inbound-rtp" }
                    .compactMap { ($0.values["packetsReceived"] as? NSNumber)?.intValue }
                reply(packets.reduce(0, +))
            }
        }

        func setSending(_ sends: Bool) {
            guard let sender else { return }
            let parameters = sender.parameters
            for encoding in parameters.encodings { encoding.isActive = sends }
            sender.parameters = parameters
        }

        func setMicrophone(_ on: Bool) { microphone.isEnabled = on }

        func setPlaying(_ plays: Bool) {
            for receiver in connection.receivers { receiver.track?.isEnabled = plays }
        }

        func playTones(_ tones: String) {
            // 100 ms a tone, 70 ms between tones; the sender itself waits 2 s at a comma.
            _ = sender?.dtmfSender?.insertDtmf(tones, duration: 0.1, interToneGap: 0.07)
        }

        func close() {
            connection.delegate = nil
            connection.close()
        }

        /// A candidate in the shape of JavaScript's RTCIceCandidateInit.
        private struct Candidate: Codable {
            var candidate: String
            var sdpMid: String?
            var sdpMLineIndex: Int32
        }

        func peerConnection(_ peerConnection: RTCPeerConnection, didGenerate candidate: RTCIceCandidate) {
            let body = Candidate(
                candidate: candidate.sdp, sdpMid: candidate.sdpMid, sdpMLineIndex: candidate.sdpMLineIndex)
            guard let text = try? JSONEncoder().encode(body) else { return }
            report(.candidate(String(decoding: text, as: UTF8.self)))
        }

        func peerConnection(_ peerConnection: RTCPeerConnection, didChange newState: RTCPeerConnectionState) {
            switch newState {
            case .connected: report(.connected)
            case .failed: report(.failed("ICE or DTLS failed"))
            default: break  // an Objective-C enum may grow
            }
        }

        func peerConnection(_ peerConnection: RTCPeerConnection, didChange stateChanged: RTCSignalingState) {}
        func peerConnection(_ peerConnection: RTCPeerConnection, didAdd stream: RTCMediaStream) {}
        func peerConnection(_ peerConnection: RTCPeerConnection, didRemove stream: RTCMediaStream) {}
        func peerConnectionShouldNegotiate(_ peerConnection: RTCPeerConnection) {}
        func peerConnection(_ peerConnection: RTCPeerConnection, didChange newState: RTCIceConnectionState) {}
        func peerConnection(_ peerConnection: RTCPeerConnection, didChange newState: RTCIceGatheringState) {}
        func peerConnection(_ peerConnection: RTCPeerConnection, didRemove candidates: [RTCIceCandidate]) {}
        func peerConnection(_ peerConnection: RTCPeerConnection, didOpen dataChannel: RTCDataChannel) {}
    }

    // Every stored property is set once; libwebrtc's objects may be used from any thread.
    extension WebRTCConnection: @unchecked Sendable {}

#endif
