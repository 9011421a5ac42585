// SPDX-License-Identifier: MIT

import Offhook

extension AudioDescription {
    /// The longest description taken, in bytes.
    static let maximumSize = 65_536

    /// Reads SDP with one audio section that offers Opus over DTLS-SRTP and ICE.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `badSignal` that says what is wrong.
    init(parsing text: String) throws(MediaFailure) {
        self.init()
        guard text.utf8.count <= Self.maximumSize else { throw Self.bad("it is longer than 65,536 bytes") }
        guard text.utf8.allSatisfy({ $0 == 13 || $0 == 10 || $0 == 9 || (32..<127).contains($0) }) else {
            throw Self.bad("it has characters other than printable ASCII")
        }
        let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        guard lines.first == "v=0" else { throw Self.bad("it does not begin with v=0") }
        let sections = lines.indices.filter { lines[$0].hasPrefix("m=") }
        guard sections.count == 1, let section = sections.first else {
            throw Self.bad("it has \(sections.count) media sections; one audio section is understood")
        }
        for line in lines {
            guard line.count >= 2, line.dropFirst().first == "=" else { throw Self.bad("a line is not letter=value") }
        }
        var setup: Setup?
        try readMedia(lines[section])
        for line in lines where line.hasPrefix("a=") || line.hasPrefix("o=") {
            try readAttribute(line, setup: &setup)
        }
        try readOpus(lines[(section + 1)...].filter { $0.hasPrefix("a=") }.map { String($0.dropFirst(2)) })
        guard let setup else { throw Self.bad("a=setup is missing") }
        self.setup = setup
        guard !fingerprints.isEmpty else { throw Self.bad("a=fingerprint is missing") }
        guard Self.isIceText(user, 4...256), Self.isIceText(password, 22...256) else {
            throw Self.bad("a=ice-ufrag or a=ice-pwd is missing or out of bounds")
        }
    }

    private mutating func readMedia(_ line: String) throws(MediaFailure) {
        let fields = line.dropFirst(2).split(separator: " ")
        guard fields.count >= 4, fields[0] == "audio", let port = Int(fields[1]), (1...65_535).contains(port) else {
            throw Self.bad("its media section is no accepted audio section")
        }
        guard fields[2] == "UDP/TLS/RTP/SAVPF" || fields[2] == "RTP/SAVPF" else {
            throw Self.bad("its transport is \(fields[2]), not UDP/TLS/RTP/SAVPF")
        }
    }

    private mutating func readAttribute(_ line: String, setup: inout Setup?) throws(MediaFailure) {
        if line.hasPrefix("o=") {
            let fields = line.dropFirst(2).split(separator: " ")
            guard fields.count == 6, UInt64(fields[1]) != nil, let version = UInt64(fields[2]) else {
                throw Self.bad("its origin line is not name, id, version and address")
            }
            session = String(fields[1])
            self.version = Int(clamping: version)
            return
        }
        let (name, value) = Self.nameAndValue(line.dropFirst(2))
        switch name {
        case "mid":
            guard Self.isToken(value) else { throw Self.bad("a=mid is no token") }
            middle = value
        case "ice-ufrag": user = value
        case "ice-pwd": password = value
        case "setup":
            guard let role = Setup(rawValue: value) else { throw Self.bad("a=setup:\(value.prefix(20)) is unknown") }
            setup = role
        case "fingerprint": fingerprints.append(try Self.fingerprint(value))
        case "candidate":
            if candidates.count < 64 { candidates.append("candidate:" + value) }
        case "ssrc":
            let number = value.prefix { $0 != " " }
            guard UInt32(number) != nil else { throw Self.bad("a=ssrc has no number") }
            if sources.count < 16 { sources.append(value) }
        default:
            if value.isEmpty, let direction = Direction(rawValue: name) { self.direction = direction }
        }
    }

    private mutating func readOpus(_ attributes: [String]) throws(MediaFailure) {
        for attribute in attributes where attribute.hasPrefix("rtpmap:") {
            let fields = attribute.dropFirst(7).split(separator: " ")
            guard fields.count == 2, fields[1].lowercased() == "opus/48000/2" else { continue }
            guard let type = Int(fields[0]), (0...127).contains(type) else {
                throw Self.bad("Opus has no payload type of 0 to 127")
            }
            payloadType = type
            let prefix = "fmtp:\(type) "
            let found = attributes.first { $0.hasPrefix(prefix) }?.dropFirst(prefix.count)
            parameters = String((found ?? "").prefix(1_000))
            return
        }
        throw Self.bad("it does not offer Opus (a=rtpmap with opus/48000/2)")
    }

    private static func fingerprint(_ value: String) throws(MediaFailure) -> Fingerprint {
        let fields = value.split(separator: " ")
        guard fields.count == 2 else { throw bad("a=fingerprint is not a hash name and a hash") }
        let pairs = fields[1].split(separator: ":", omittingEmptySubsequences: false)
        guard (16...64).contains(pairs.count), pairs.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) else {
            throw bad("a=fingerprint is not pairs of hexadecimal digits")
        }
        return Fingerprint(algorithm: fields[0].lowercased(), value: pairs.joined().uppercased())
    }

    private static func nameAndValue(_ attribute: Substring) -> (String, String) {
        guard let colon = attribute.firstIndex(of: ":") else { return (String(attribute), "") }
        return (String(attribute[..<colon]), String(attribute[attribute.index(after: colon)...]))
    }

    private static func isIceText(_ text: String, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count)
            && text.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || $0 == "+" || $0 == "/" }
    }

    private static func isToken(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0 != " " && $0 != ":" && !$0.isNewline }
    }

    private static func bad(_ reason: String) -> MediaFailure {
        MediaFailure(.badSignal, "the session description cannot be used: \(reason)")
    }
}
