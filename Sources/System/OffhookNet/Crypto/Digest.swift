// SPDX-License-Identifier: MIT

import COpenSSL

/// The SHA-256 digest (FIPS 180-4) and its keyed form.
public enum SHA256 {
    /// The 32-byte digest of the bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        digest(EVP_sha256(), bytes, count: 32)
    }

    /// The 32-byte HMAC of the message (RFC 2104), which only a holder of the key can make.
    public static func authenticationCode(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        // OpenSSL wants a non-null pointer for an empty key too.
        let padded = key.isEmpty ? [0] : key
        HMAC(EVP_sha256(), padded, Int32(clamping: key.count), message, message.count, &code, &count)
        return code
    }
}

/// The SHA-1 digest, which the WebSocket handshake asks for (RFC 6455 §4.2.2) and nothing else should.
public enum SHA1 {
    /// The 20-byte digest of the bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        digest(EVP_sha1(), bytes, count: 20)
    }
}

private func digest(_ kind: OpaquePointer?, _ bytes: [UInt8], count: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: count)
    var written: UInt32 = 0
    EVP_Digest(bytes, bytes.count, &result, &written, kind, nil)
    return result
}

/// Comparison of secrets in a time that depends on their length alone.
public enum ConstantTime {
    /// Whether both are equal; the time tells nothing about where they differ.
    public static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return left.isEmpty || CRYPTO_memcmp(left, right, left.count) == 0
    }
}

/// Random bytes fit for secrets.
public enum SecureRandom {
    /// That many random bytes from OpenSSL's generator, seeded by the system.
    ///
    /// - Precondition: The system has randomness; without it no secret can be made and the process stops.
    public static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        guard !bytes.isEmpty else { return [] }
        let filled = RAND_bytes(&bytes, Int32(clamping: bytes.count))
        precondition(filled == 1, "the system gives no random bytes, and a secret made without them is none")
        return bytes
    }
}
