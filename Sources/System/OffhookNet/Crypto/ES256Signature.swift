// SPDX-License-Identifier: MIT

import COpenSSL

/// The two forms of a P-256 signature: OpenSSL's DER and JOSE's raw 64 bytes (RFC 7518 §3.4).
enum ES256Signature {
    /// The raw form of a DER signature, or nil when it is none.
    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            guard let signature = d2i_ECDSA_SIG(nil, &start, bytes.count) else { return nil }
            defer { ECDSA_SIG_free(signature) }
            var raw = [UInt8](repeating: 0, count: 64)
            let written = raw.withUnsafeMutableBufferPointer { target -> Bool in
                guard let base = target.baseAddress else { return false }
                return BN_bn2binpad(ECDSA_SIG_get0_r(signature), base, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), base + 32, 32) == 32
            }
            return written ? raw : nil
        }
    }

    /// The DER form of a raw signature, or nil when it has not 64 bytes.
    static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 64, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        guard let first = BN_bin2bn(Array(raw[0..<32]), 32, nil), let second = BN_bin2bn(Array(raw[32..<64]), 32, nil)
        else { return nil }
        guard ECDSA_SIG_set0(signature, first, second) == 1 else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, nil, 0) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
