// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite struct TLSEngineTests {
    @Test func bytesPassBothWaysAfterTheHandshake() throws {
        let pair = try TLSPair(serverName: "localhost", alpn: ["h2"])
        try pair.handshake()
        #expect(pair.client.isHandshakeComplete && pair.server.isHandshakeComplete)
        #expect(pair.client.negotiatedProtocol == "h2")
        #expect(pair.server.negotiatedProtocol == "h2")
        try pair.client.send("hello")
        #expect(try pair.toServer() == Array("hello".utf8))
        try pair.server.send("welcome")
        #expect(try pair.toClient() == Array("welcome".utf8))
    }

    @Test func plainBytesGivenBeforeTheHandshakeArriveAfterIt() throws {
        let pair = try TLSPair(serverName: "localhost")
        try pair.client.send("early")
        try pair.handshake()
        #expect(pair.receivedByServer == Array("early".utf8))
    }

    @Test(arguments: [1, 2, 5, 17, 1_000])
    func anyCuttingOfTheStreamGivesTheSameBytes(piece: Int) throws {
        let pair = try TLSPair(serverName: "localhost", piece: piece)
        try pair.handshake()
        let large = SecureRandom.bytes(100_000)
        try large.withUnsafeBytes { try pair.client.write($0) }
        #expect(try pair.toServer() == large)
    }

    @Test func anAddressIsComparedWithTheCertificatesAddresses() throws {
        let pair = try TLSPair(serverName: "127.0.0.1")
        try pair.handshake()
        #expect(pair.client.isHandshakeComplete)
        let wrong = try TLSPair(serverName: "127.0.0.2")
        let error = #expect(throws: NetError.self) { try wrong.handshake() }
        #expect(error?.message.contains("not for \"127.0.0.2\"") == true)
    }

    @Test func aCertificateForAnotherNameIsRefused() throws {
        let pair = try TLSPair(serverName: "api.push.apple.com")
        let error = #expect(throws: NetError.self) { try pair.handshake() }
        #expect(error?.code == .tls)
        #expect(error?.message.contains("not for \"api.push.apple.com\"") == true)
    }

    @Test func aCertificateOfAnUnknownRootIsRefused() throws {
        let pair = try TLSPair(serverName: "localhost", roots: try Certificate.selfSigned().certificatePEM)
        let error = #expect(throws: NetError.self) { try pair.handshake() }
        #expect(error?.message.contains("is not trusted") == true)
    }

    @Test func endsWithoutACommonProtocolSaySo() throws {
        let certificate = try Certificate.selfSigned()
        let server = try TLSEngine(
            context: .server(
                certificate: certificate.certificatePEM, key: certificate.keyPEM, alpn: ["http/1.1"]))
        let client = try TLSEngine(
            context: .client(roots: certificate.certificatePEM, alpn: ["h2"]), serverName: "localhost")
        let pair = TLSPair(client: client, server: server)
        let error = #expect(throws: NetError.self) { try pair.handshake() }
        #expect(error?.message.contains("must speak one of") == true)
    }

    @Test func closeNotifyReachesThePeer() throws {
        let pair = try TLSPair(serverName: "localhost")
        try pair.handshake()
        pair.client.shutdown()
        #expect(try pair.toServer().isEmpty)
        #expect(pair.server.receivedCloseNotify)
    }

    @Test func aPeerThatSpeaksNoTLSIsAClearError() throws {
        let certificate = try Certificate.selfSigned()
        let server = try TLSEngine(
            context: .server(certificate: certificate.certificatePEM, key: certificate.keyPEM))
        let error = #expect(throws: NetError.self) {
            _ = try server.feed(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        }
        #expect(error?.message.contains("does not speak TLS") == true)
        #expect(throws: NetError.self) { _ = try server.feed([1]) }
    }

    @Test func changedBytesAreRefusedAndNeverTrap() throws {
        for position in stride(from: 0, to: 60, by: 7) {
            let pair = try TLSPair(serverName: "localhost")
            try pair.handshake()
            try pair.client.send("a message of some length, to be changed on the way")
            var bytes = pair.client.takeOutput()
            bytes[min(position, bytes.count - 1)] ^= 0x80
            do {
                // A longer length in the header only waits for more bytes.
                #expect(try pair.server.feed(bytes).isEmpty)
            } catch {
                #expect((error as? NetError)?.code == .tls)
            }
        }
    }

    @Test func certificateAndKeyMustBelongTogether() throws {
        let first = try Certificate.selfSigned()
        let second = try Certificate.selfSigned()
        let error = #expect(throws: NetError.self) {
            try TLSContext.server(certificate: first.certificatePEM, key: second.keyPEM)
        }
        #expect(error?.message.contains("does not belong") == true)
        #expect(throws: NetError.self) { try TLSContext.server(certificate: "no", key: first.keyPEM) }
        #expect(throws: NetError.self) { try TLSContext.server(certificate: first.certificatePEM, key: "no") }
        #expect(throws: NetError.self) { try TLSContext.client(roots: "no") }
    }

    @Test(arguments: [[], [""], ["a b"], ["x,DNS:evil.example"], ["ä.example"]])
    func aCertificateForNoHostIsRefused(hosts: [String]) {
        #expect(throws: NetError.self) { try Certificate.selfSigned(hosts: hosts) }
    }
}

/// A client and a server engine whose outputs are carried to each other, in pieces.
final class TLSPair {
    let client: TLSEngine
    let server: TLSEngine
    var receivedByServer: [UInt8] = []
    private let piece: Int

    init(client: TLSEngine, server: TLSEngine, piece: Int = .max) {
        self.client = client
        self.server = server
        self.piece = piece
    }

    convenience init(serverName: String, alpn: [String] = [], roots: String? = nil, piece: Int = .max) throws {
        let certificate = try Certificate.selfSigned()
        let server = try TLSEngine(
            context: .server(certificate: certificate.certificatePEM, key: certificate.keyPEM, alpn: alpn))
        let client = try TLSEngine(
            context: .client(roots: roots ?? certificate.certificatePEM, alpn: alpn), serverName: serverName)
        self.init(client: client, server: server, piece: piece)
    }

    func handshake() throws {
        try client.start()
        try server.start()
        for _ in 0..<6 {
            receivedByServer += try toServer()
            _ = try toClient()
        }
    }

    func toServer() throws -> [UInt8] { try carry(client.takeOutput(), to: server) }

    func toClient() throws -> [UInt8] { try carry(server.takeOutput(), to: client) }

    private func carry(_ bytes: [UInt8], to engine: TLSEngine) throws -> [UInt8] {
        var plain: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            plain += try engine.feed(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return plain
    }
}

extension TLSEngine {
    func feed(_ bytes: [UInt8]) throws -> [UInt8] {
        try bytes.withUnsafeBytes { try receive($0) }
    }

    func send(_ text: String) throws {
        try Array(text.utf8).withUnsafeBytes { try write($0) }
    }
}
