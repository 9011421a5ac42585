// SPDX-License-Identifier: MIT

import COpenSSL

/// A certificate with its private key, made for one run: for tests, the demo and a server without a real one.
public struct Certificate: Sendable {
    /// The certificate as a PEM block.
    ///
    /// Being self-signed, it is its own root: give it to clients as `roots`.
    public let certificatePEM: String

    /// The private key as a PKCS#8 PEM block.
    public let keyPEM: String

    /// Takes a certificate and its key from PEM texts, which ``TLSContext`` checks when it gets them.
    public init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }

    /// Makes a self-signed certificate for hosts, with a P-256 key, valid from a day ago for ten years.
    ///
    /// - Parameter hosts: The host names and IP addresses the certificate carries (subjectAltName).
    /// - Returns: The certificate and its key.
    /// - Throws: A ``NetError`` of code `tls` when a host is neither a name nor an address.
    public static func selfSigned(
        hosts: [String] = ["localhost", "127.0.0.1", "::1"]
    ) throws(NetError) -> Certificate {
        guard !hosts.isEmpty else { throw NetError(.tls, "a certificate needs at least one host") }
        for host in hosts where !host.utf8.allSatisfy(isHostByte) || host.isEmpty {
            throw NetError(.tls, "\"\(host)\" is no host name or IP address for a certificate")
        }
        let key = try ES256PrivateKey.generate()
        guard let certificate = X509_new() else { throw NetError(.tls, "out of memory for a certificate") }
        defer { X509_free(certificate) }
        ERR_clear_error()
        let built = build(certificate, key: key, hosts: hosts)
        let pem = built ? OpenSSLErrors.text { PEM_write_bio_X509($0, certificate) == 1 } : nil
        guard let pem else {
            throw NetError(
                .tls, "no certificate could be made for \(hosts): \(OpenSSLErrors.take(or: "unknown reason"))")
        }
        return Certificate(certificatePEM: pem, keyPEM: key.pem)
    }

    private static func build(_ certificate: OpaquePointer, key: ES256PrivateKey, hosts: [String]) -> Bool {
        let serial = SecureRandom.bytes(8).reduce(0) { ($0 << 8 | UInt64($1)) & 0x7fff_ffff_ffff_ffff }
        guard X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial) == 1,
            X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), 315_360_000) != nil,
            X509_set_pubkey(certificate, key.handle) == 1,
            let name = X509_get_subject_name(certificate),
            X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, hosts[0], -1, -1, 0) == 1,
            X509_set_issuer_name(certificate, name) == 1
        else { return false }
        let alternatives = hosts.map { ($0.contains(":") || isIPv4($0) ? "IP:" : "DNS:") + $0 }
        let extensions: [(Int32, String)] = [
            (NID_basic_constraints, "critical,CA:TRUE"),
            (NID_key_usage, "critical,digitalSignature,keyCertSign"),
            (NID_ext_key_usage, "serverAuth"),
            (NID_subject_key_identifier, "hash"),
            (NID_subject_alt_name, alternatives.joined(separator: ",")),
        ]
        for (identifier, value) in extensions {
            var context = X509V3_CTX()
            offhook_x509v3_set_issuer(&context, certificate)
            guard let entry = X509V3_EXT_conf_nid(nil, &context, identifier, value) else { return false }
            defer { X509_EXTENSION_free(entry) }
            guard X509_add_ext(certificate, entry, -1) == 1 else { return false }
        }
        return X509_sign(certificate, key.handle, EVP_sha256()) > 0
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
            UInt8(ascii: "*"):
            true
        default: false
        }
    }

    private static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Reads every certificate of a PEM text; the caller frees them.
    static func parse(_ pem: String, what: String) throws(NetError) -> [OpaquePointer] {
        var certificates: [OpaquePointer] = []
        ERR_clear_error()
        _ = OpenSSLErrors.withBIO(reading: pem) { bio in
            while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { certificates.append(certificate) }
        }
        ERR_clear_error()
        guard !certificates.isEmpty else {
            throw NetError(.tls, "the \(what) is no PEM certificate; it starts with -----BEGIN CERTIFICATE-----")
        }
        return certificates
    }
}
