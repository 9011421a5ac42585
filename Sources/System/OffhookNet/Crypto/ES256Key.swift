// SPDX-License-Identifier: MIT

import COpenSSL

/// A private key for ES256 signatures (ECDSA on P-256 with SHA-256), such as Apple's `.p8` push key.
///
/// - Isolation: any thread
/// - Note: RFC 7518 §3.4
public struct ES256PrivateKey: Sendable {
    private let storage: KeyStorage

    var handle: OpaquePointer { storage.handle }

    /// The key as a PKCS#8 PEM block, the form of a `.p8` file.
    ///
    /// Secret: never log it.
    public let pem: String

    private init(owning handle: OpaquePointer) throws(NetError) {
        let storage = KeyStorage(owning: handle)
        guard
            let pem = OpenSSLErrors.text(writtenBy: {
                PEM_write_bio_PKCS8PrivateKey($0, storage.handle, nil, nil, 0, nil, nil) == 1
            })
        else { throw NetError(.crypto, "the key cannot be written as PEM: \(OpenSSLErrors.take(or: "unknown"))") }
        self.storage = storage
        self.pem = pem
    }

    /// Makes a new random key.
    ///
    /// - Throws: A ``NetError`` of code `crypto` when the system has no randomness or memory.
    public static func generate() throws(NetError) -> ES256PrivateKey {
        ERR_clear_error()
        guard let handle = offhook_generate_p256() else {
            throw NetError(.crypto, "no key could be made: \(OpenSSLErrors.take(or: "unknown reason"))")
        }
        return try ES256PrivateKey(owning: handle)
    }

    /// Reads a key from the text of a `.p8` file (PKCS#8 PEM) or of an `EC PRIVATE KEY` block.
    ///
    /// - Parameters:
    ///   - pem: The file's text.
    ///   - name: What the error calls it, such as the file's path.
    /// - Throws: A ``NetError`` of code `crypto` that says what was found and what is expected.
    public init(pem: String, name: String = "the key") throws(NetError) {
        let expected =
            "expected the .p8 file that Apple's developer site gives: a PEM text that starts with "
            + "-----BEGIN PRIVATE KEY----- and holds a P-256 key"
        guard let handle = PrivateKeyPEM.parse(pem) else {
            var found = "is no private key"
            if pem.allSatisfy(\.isWhitespace) { found = "is empty" }
            if pem.contains("BEGIN CERTIFICATE") { found = "is a certificate, not a private key" }
            if pem.contains("BEGIN PUBLIC KEY") { found = "is a public key, not the private one" }
            if pem.contains("ENCRYPTED") { found = "is locked with a passphrase; remove it first" }
            throw NetError(.crypto, "\(name) \(found); \(expected)")
        }
        guard PrivateKeyPEM.isP256(handle) else {
            EVP_PKEY_free(handle)
            throw NetError(.crypto, "\(name) is a private key of another kind; \(expected)")
        }
        try self.init(owning: handle)
    }

    /// The public half, which checks what this key signed.
    public var publicKey: ES256PublicKey { ES256PublicKey(storage: storage) }

    /// Signs bytes and returns the raw signature that JOSE wants: R then S, 32 bytes each.
    ///
    /// - Throws: A ``NetError`` of code `crypto` when OpenSSL refuses, which a whole key never causes.
    /// - Complexity: about 35 µs; sign once per token, never per message.
    public func sign(_ message: [UInt8]) throws(NetError) -> [UInt8] {
        ERR_clear_error()
        guard let context = EVP_MD_CTX_new() else { throw NetError(.crypto, "out of memory for a signature") }
        defer { EVP_MD_CTX_free(context) }
        var der = [UInt8](repeating: 0, count: 128)
        var count = der.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            EVP_DigestSign(context, &der, &count, message, message.count) == 1,
            let raw = ES256Signature.raw(fromDER: Array(der.prefix(count)))
        else { throw NetError(.crypto, "the key cannot sign: \(OpenSSLErrors.take(or: "unknown reason"))") }
        return raw
    }
}

/// The public half of an ES256 key: checks signatures.
///
/// - Isolation: any thread
public struct ES256PublicKey: Sendable {
    private let storage: KeyStorage

    init(storage: KeyStorage) {
        self.storage = storage
    }

    /// Reads a public key from a `PUBLIC KEY` PEM block.
    ///
    /// - Throws: A ``NetError`` of code `crypto` when the text is no P-256 public key.
    public init(pem: String) throws(NetError) {
        ERR_clear_error()
        let read: OpaquePointer?? = OpenSSLErrors.withBIO(reading: pem) { PEM_read_bio_PUBKEY($0, nil, nil, nil) }
        ERR_clear_error()
        guard let handle = read ?? nil else {
            throw NetError(.crypto, "this is no public key; expected a PEM text with -----BEGIN PUBLIC KEY-----")
        }
        storage = KeyStorage(owning: handle)
        guard PrivateKeyPEM.isP256(handle) else {
            throw NetError(.crypto, "this public key is of another kind; expected a P-256 key")
        }
    }

    /// Whether a raw 64-byte signature (R then S) is this key's over the message; any other length is false.
    public func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard let der = ES256Signature.der(fromRaw: signature), let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, storage.handle) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }

    /// The key as a `PUBLIC KEY` PEM block; empty only when memory is short.
    public var pem: String {
        OpenSSLErrors.text { PEM_write_bio_PUBKEY($0, storage.handle) == 1 } ?? ""
    }
}

/// Owner of one OpenSSL key.
final class KeyStorage {
    let handle: OpaquePointer

    init(owning handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        EVP_PKEY_free(handle)
    }
}

// Protected by: the key never changes after init; OpenSSL counts references to EVP_PKEY atomically.
extension KeyStorage: @unchecked Sendable {}

/// Reading of private keys.
enum PrivateKeyPEM {
    /// Reads the first private key of a PEM text; the caller frees it.
    ///
    /// A passphrase is never asked for.
    static func parse(_ pem: String) -> OpaquePointer? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        let read: OpaquePointer?? = OpenSSLErrors.withBIO(reading: pem) {
            PEM_read_bio_PrivateKey($0, nil, refusePassphrase, nil)
        }
        return read ?? nil
    }

    /// Whether the key is an elliptic key on P-256.
    static func isP256(_ key: OpaquePointer) -> Bool {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1
        else { return false }
        return name.prefix(count).map(UInt8.init(bitPattern:)) == Array("prime256v1".utf8)
    }
}

/// Answers OpenSSL's question for a passphrase with "none", so that it never asks on the terminal.
private func refusePassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ writing: Int32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    -1
}
