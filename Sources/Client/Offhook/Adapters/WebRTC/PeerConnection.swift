// SPDX-License-Identifier: MIT

/// A peer connection as the adapter uses it; RTCPeerConnection behind a thin wrapper, or a double.
///
/// Methods return at once; replies and reports come from any thread.
protocol PeerConnection: AnyObject, Sendable {
    /// Makes an offer or an answer, sets it as the local description, and replies with its text.
    func describe(_ kind: PeerDescription, _ reply: @escaping @Sendable (Result<String, MediaFailure>) -> Void)
    /// Sets the other side's description.
    func setRemote(
        _ kind: PeerDescription, _ text: String, _ reply: @escaping @Sendable (Result<Void, MediaFailure>) -> Void)
    /// Adds a candidate of the other side: the text of ``PeerReport/candidate(_:)``.
    func addCandidate(_ body: String)
    /// Replies with the fingerprints of the certificates that the other side really has.
    func readFingerprints(_ reply: @escaping @Sendable (Set<PeerFingerprint>) -> Void)
    /// Replies with the number of RTP packets received so far.
    func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void)
    /// Lets packets leave, or not.
    func setSending(_ sends: Bool)
    /// Lets the microphone be heard in them, or silence.
    func setMicrophone(_ on: Bool)
    /// Lets the other side be played, or not.
    func setPlaying(_ plays: Bool)
    /// Plays DTMF digits (RFC 4733).
    func playTones(_ tones: String)
    /// Ends it; nothing is reported any more.
    func close()
}

/// The two kinds of session descriptions.
enum PeerDescription: String, Hashable, Sendable {
    case offer, answer
}

/// What a peer connection reports.
enum PeerReport: Hashable, Sendable {
    /// It found a candidate of its own.
    case candidate(String)
    /// Its transport is up.
    case connected
    /// It found no way to the other side.
    case failed(String)
}

/// A certificate's hash (RFC 8122).
struct PeerFingerprint: Hashable, Sendable {
    /// The hash's name in lower case, such as sha-256.
    var algorithm: String
    /// The hash in upper-case hexadecimal, without colons.
    var value: String

    init(algorithm: String, value: String) {
        self.algorithm = algorithm.lowercased()
        self.value = value.uppercased().filter(\.isHexDigit)
    }

    /// The fingerprints that a session description (RFC 8866) names; hashes weaker than SHA-256 do not count.
    static func all(in description: String) -> Set<PeerFingerprint> {
        var found: Set<PeerFingerprint> = []
        for line in description.split(whereSeparator: \.isNewline) where line.hasPrefix("a=fingerprint:") {
            let words = line.dropFirst("a=fingerprint:".count).split(separator: " ")
            guard words.count == 2 else { continue }
            let fingerprint = PeerFingerprint(algorithm: String(words[0]), value: String(words[1]))
            if ["sha-256", "sha-384", "sha-512"].contains(fingerprint.algorithm) { found.insert(fingerprint) }
        }
        return found
    }
}
