// SPDX-License-Identifier: MIT

import COpenSSL

/// Holds what all TLS connections of one server or one client share: certificate, trusted roots, protocols.
///
/// TLS 1.2 is the floor. A context never changes after it was made, so one serves any number of connections.
///
/// - Isolation: any thread
public final class TLSContext {
    /// Which end of a connection the context is for.
    public enum Role: Sendable {
        /// The end that accepts and shows a certificate.
        case server
        /// The end that connects and checks the certificate and the name in it.
        case client
    }

    /// Which end of a connection the context is for.
    public let role: Role

    /// The protocols offered (client) or accepted (server) by ALPN, in order of preference; empty: no ALPN.
    public let applicationProtocols: [String]

    let handle: OpaquePointer
    let wireProtocols: [UInt8]

    private init(role: Role, alpn: [String]) throws(NetError) {
        guard let handle = SSL_CTX_new(role == .server ? TLS_server_method() : TLS_client_method()) else {
            throw NetError(.tls, "no TLS context could be made: \(OpenSSLErrors.take(or: "out of memory"))")
        }
        self.handle = handle
        self.role = role
        applicationProtocols = alpn
        var wire: [UInt8] = []
        for name in alpn {
            precondition((1...255).contains(name.utf8.count), "an ALPN protocol name has 1 to 255 bytes (RFC 7301)")
            wire.append(UInt8(name.utf8.count))
            wire += Array(name.utf8)
        }
        wireProtocols = wire
        guard offhook_ssl_ctx_require_tls12(handle) == 1 else {
            throw NetError(.tls, "TLS 1.2 cannot be required: \(OpenSSLErrors.take(or: "unknown reason"))")
        }
        offhook_ssl_ctx_set_modes(handle)
    }

    deinit {
        SSL_CTX_free(handle)
    }

    /// Makes the context of a server from its certificate chain and private key.
    ///
    /// - Parameters:
    ///   - certificate: The certificate and then its intermediates, each as a PEM block.
    ///   - key: The certificate's private key as PEM, without a passphrase.
    ///   - alpn: The protocols the server speaks, such as `h2`. A client that offers others alone is refused.
    /// - Returns: The context, for any number of connections.
    /// - Throws: A ``NetError`` of code `tls` when either is not PEM or they do not belong together.
    public static func server(certificate: String, key: String, alpn: [String] = []) throws(NetError) -> TLSContext {
        let context = try TLSContext(role: .server, alpn: alpn)
        let chain = try Certificate.parse(certificate, what: "server certificate")
        defer { chain.forEach { X509_free($0) } }
        guard let privateKey = PrivateKeyPEM.parse(key) else {
            throw NetError(
                .tls, "the server's private key is no PEM private key; it starts with -----BEGIN PRIVATE KEY-----")
        }
        defer { EVP_PKEY_free(privateKey) }
        ERR_clear_error()
        for (index, entry) in chain.enumerated() {
            let added =
                index == 0
                ? SSL_CTX_use_certificate(context.handle, entry)
                : Int32(SSL_CTX_ctrl(context.handle, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(entry)))
            guard added == 1 else {
                throw NetError(.tls, "certificate \(index + 1) is unusable: \(OpenSSLErrors.take(or: "unknown"))")
            }
        }
        guard SSL_CTX_use_PrivateKey(context.handle, privateKey) == 1, SSL_CTX_check_private_key(context.handle) == 1
        else {
            throw NetError(
                .tls,
                "the private key does not belong to the certificate (\(OpenSSLErrors.take(or: "mismatch"))); "
                    + "give the pair that was made together")
        }
        if !alpn.isEmpty {
            SSL_CTX_set_alpn_select_cb(
                context.handle, selectApplicationProtocol, Unmanaged.passUnretained(context).toOpaque())
        }
        return context
    }

    /// Makes the context of a client, which checks the server's certificate against the roots and its name.
    ///
    /// - Parameters:
    ///   - roots: The trusted certificates as PEM blocks; nil: the system's own.
    ///   - alpn: The protocols the client offers, most wanted first.
    /// - Returns: The context, for any number of connections.
    /// - Throws: A ``NetError`` of code `tls` when the roots are not PEM certificates.
    public static func client(roots: String? = nil, alpn: [String] = []) throws(NetError) -> TLSContext {
        let context = try TLSContext(role: .client, alpn: alpn)
        ERR_clear_error()
        SSL_CTX_set_verify(context.handle, SSL_VERIFY_PEER, nil)
        if let roots {
            let chain = try Certificate.parse(roots, what: "trusted roots")
            defer { chain.forEach { X509_free($0) } }
            let store = SSL_CTX_get_cert_store(context.handle)
            for entry in chain where X509_STORE_add_cert(store, entry) != 1 {
                throw NetError(.tls, "a trusted root is unusable: \(OpenSSLErrors.take(or: "unknown"))")
            }
        } else if SSL_CTX_set_default_verify_paths(context.handle) != 1 {
            throw NetError(.tls, "the system has no trusted roots; install the package ca-certificates")
        }
        if !alpn.isEmpty {
            _ = context.wireProtocols.withUnsafeBufferPointer {
                SSL_CTX_set_alpn_protos(context.handle, $0.baseAddress, UInt32($0.count))
            }
        }
        return context
    }
}

// Protected by: nothing changes after init; OpenSSL counts references to SSL_CTX atomically.
extension TLSContext: @unchecked Sendable {}

/// Picks the server's first protocol that the client offers (RFC 7301 §3.2); none: the handshake fails.
private func selectApplicationProtocol(
    _ ssl: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    _ chosenCount: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?, _ offeredCount: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let chosen, let chosenCount, let offered, let context else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    let wanted = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().applicationProtocols
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    for name in wanted {
        var index = 0
        while index < list.count {
            let length = Int(list[index])
            guard index + 1 + length <= list.count else { return SSL_TLSEXT_ERR_ALERT_FATAL }
            if list[(index + 1)..<(index + 1 + length)].elementsEqual(name.utf8) {
                chosen.pointee = offered + index + 1
                chosenCount.pointee = UInt8(length)
                return SSL_TLSEXT_ERR_OK
            }
            index += 1 + length
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}
