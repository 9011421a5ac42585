// SPDX-License-Identifier: MIT

import COpenSSL

/// Turns plain bytes into TLS records and back for one connection, without touching a socket.
///
/// Order of use: ``start()``, send ``takeOutput()``; then for each read ``receive(_:)`` and again ``takeOutput()``.
/// After an error is thrown, ``takeOutput()`` still holds the alert that tells the peer; then the connection is over.
///
/// - Isolation: the thread that owns the connection; an engine is not `Sendable`.
/// - Note: RFC 8446, RFC 5246, RFC 7301 (ALPN), RFC 6125 (name check).
public final class TLSEngine {
    /// Whether the handshake is done, so that plain bytes can flow.
    public private(set) var isHandshakeComplete = false

    /// The protocol both ends agreed on by ALPN, such as `h2`; nil before the handshake and when there is none.
    public private(set) var negotiatedProtocol: String?

    /// Whether the peer said that nothing more will come (close_notify).
    public private(set) var receivedCloseNotify = false

    private let context: TLSContext
    private let serverName: String?
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private var waiting: [UInt8] = []
    private var failed = false

    /// Makes the engine of one connection.
    ///
    /// - Parameters:
    ///   - context: The shared settings, which say the role too.
    ///   - serverName: Client only: the host name or IP address the server's certificate must carry.
    /// - Throws: A ``NetError`` of code `tls` when memory is short or the name is no host name.
    /// - Precondition: A client gives a server name: a certificate nobody compares proves nothing.
    public init(context: TLSContext, serverName: String? = nil) throws(NetError) {
        precondition(
            context.role == .server || serverName?.isEmpty == false,
            "a TLS client names the server it expects, so that the certificate can be compared (RFC 6125)")
        guard let ssl = SSL_new(context.handle), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem())
        else { throw NetError(.tls, "no TLS connection could be made: \(OpenSSLErrors.take(or: "out of memory"))") }
        offhook_bio_set_no_eof(input)
        offhook_bio_set_no_eof(output)
        SSL_set_bio(ssl, input, output)
        self.context = context
        self.serverName = serverName
        self.ssl = ssl
        self.input = input
        self.output = output
        switch context.role {
        case .server:
            SSL_set_accept_state(ssl)
        case .client:
            SSL_set_connect_state(ssl)
            let name = serverName ?? ""
            // An address is compared with the certificate's IP entries and is never sent as SNI (RFC 6066 §3).
            if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), name) == 1 { break }
            ERR_clear_error()
            SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
            guard SSL_set1_host(ssl, name) == 1, offhook_ssl_set_server_name(ssl, name) == 1 else {
                throw NetError(.tls, "\"\(name)\" is no host name that a certificate can carry")
            }
        }
    }

    deinit {
        SSL_free(ssl)
    }

    /// Starts the handshake: a client's first message is in the output afterwards; a server waits.
    ///
    /// - Throws: A ``NetError`` of code `tls` when the handshake cannot start.
    public func start() throws(NetError) {
        try advanceHandshake()
    }

    /// Takes bytes that came from the network and returns the plain bytes they complete, which may be none.
    ///
    /// - Throws: A ``NetError`` of code `tls` when the peer breaks the protocol or is not who it should be.
    public func receive(_ bytes: UnsafeRawBufferPointer) throws(NetError) -> [UInt8] {
        guard !failed else { throw NetError(.tls, "the TLS connection failed before; open a new one") }
        var offset = 0
        while offset < bytes.count {
            let count = Int32(clamping: bytes.count - offset)
            let written = BIO_write(input, bytes.baseAddress.map { $0 + offset }, count)
            guard written > 0 else { throw failure("out of memory") }
            offset += Int(written)
        }
        if !isHandshakeComplete {
            try advanceHandshake()
            guard isHandshakeComplete else { return [] }
        }
        return try readPlaintext()
    }

    /// Encrypts plain bytes into the output; before the handshake is done they wait for it.
    ///
    /// - Throws: A ``NetError`` of code `tls` when the connection is over.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(NetError) {
        guard !failed else { throw NetError(.tls, "the TLS connection failed before; open a new one") }
        guard isHandshakeComplete else {
            waiting.append(contentsOf: bytes)
            return
        }
        try encrypt(bytes)
    }

    /// Hands the bytes that must go to the network to the closure, without a copy; not called when there are none.
    public func sendOutput(_ body: (UnsafeRawBufferPointer) -> Void) {
        var start: UnsafeMutablePointer<CChar>?
        let count = offhook_bio_contents(output, &start)
        guard let start, count > 0 else { return }
        body(UnsafeRawBufferPointer(start: start, count: count))
        offhook_bio_reset(output)
    }

    /// Takes the bytes that must go to the network, which may be none.
    public func takeOutput() -> [UInt8] {
        var start: UnsafeMutablePointer<CChar>?
        let count = offhook_bio_contents(output, &start)
        guard let start, count > 0 else { return [] }
        let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        offhook_bio_reset(output)
        return bytes
    }

    /// Says in the output that nothing more will be written (close_notify).
    public func shutdown() {
        guard !failed, isHandshakeComplete else { return }
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    // MARK: - Inside

    private func advanceHandshake() throws(NetError) {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result != 1 {
            let reason = SSL_get_error(ssl, result)
            guard reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE else {
                throw handshakeFailure()
            }
            return
        }
        isHandshakeComplete = true
        var name: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &count)
        if let name, count > 0 {
            negotiatedProtocol = String(decoding: UnsafeBufferPointer(start: name, count: Int(count)), as: UTF8.self)
        }
        let early = waiting
        waiting = []
        guard !early.isEmpty else { return }
        do {
            try early.withUnsafeBytes { try encrypt($0) }
        } catch let error as NetError {
            throw error
        } catch {
            throw failure("unknown reason")
        }
    }

    private func encrypt(_ bytes: UnsafeRawBufferPointer) throws(NetError) {
        ERR_clear_error()
        var offset = 0
        while offset < bytes.count {
            var written = 0
            let result = SSL_write_ex(ssl, bytes.baseAddress.map { $0 + offset }, bytes.count - offset, &written)
            guard result == 1, written > 0 else { throw failure("the peer or this end closed the connection") }
            offset += written
        }
    }

    private func readPlaintext() throws(NetError) -> [UInt8] {
        var plain: [UInt8] = []
        let outcome: Int32 = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { buffer in
            while true {
                ERR_clear_error()
                var count = 0
                guard SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count) == 1 else {
                    return SSL_get_error(ssl, 0)
                }
                plain.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
            }
        }
        if outcome == SSL_ERROR_ZERO_RETURN {
            receivedCloseNotify = true
        } else if outcome != SSL_ERROR_WANT_READ && outcome != SSL_ERROR_WANT_WRITE {
            throw failure("the peer broke the protocol")
        }
        return plain
    }

    private func failure(_ fallback: String) -> NetError {
        failed = true
        return NetError(.tls, "TLS failed: \(OpenSSLErrors.take(or: fallback)); open a new connection")
    }

    private func handshakeFailure() -> NetError {
        failed = true
        let verification = SSL_get_verify_result(ssl)
        let detail = OpenSSLErrors.take(or: "the peer closed the connection")
        guard context.role == .client, verification != X509_V_OK else {
            return NetError(.tls, "the TLS handshake failed: \(detail)" + advice(detail))
        }
        let why = String(cString: X509_verify_cert_error_string(verification))
        let name = serverName ?? ""
        switch Int32(verification) {
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            return NetError(
                .tls, "the server's certificate is not for \"\(name)\"; use a name it carries or another certificate")
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID:
            return NetError(.tls, "the certificate of \"\(name)\" is out of date (\(why)); check it and the clock")
        default:
            return NetError(
                .tls, "the certificate of \"\(name)\" is not trusted (\(why)); give the root that signed it")
        }
    }

    private func advice(_ detail: String) -> String {
        if detail.contains("no application protocol") {
            return "; both ends must speak one of \(context.applicationProtocols)"
        }
        if detail.contains("wrong version number") || detail.contains("http request") {
            return "; the other end does not speak TLS on this port"
        }
        if detail.contains("unknown ca") { return "; the client does not trust this server's certificate" }
        return ""
    }
}
