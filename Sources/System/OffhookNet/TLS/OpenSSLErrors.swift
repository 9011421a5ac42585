// SPDX-License-Identifier: MIT

import COpenSSL

/// Reading of OpenSSL's per-thread error queue.
enum OpenSSLErrors {
    /// Empties the queue and returns the oldest entry as text, or the fallback when the queue is empty.
    static func take(or fallback: String) -> String {
        let code = ERR_get_error()
        guard code != 0 else { return fallback }
        ERR_clear_error()
        if let reason = ERR_reason_error_string(code) { return String(cString: reason) }
        return "OpenSSL error \(code)"
    }

    /// Runs the closure with a memory BIO that reads the text, or returns nil when memory is short.
    static func withBIO<Result>(reading text: String, _ body: (OpaquePointer) -> Result) -> Result? {
        var text = text
        return text.withUTF8 { bytes in
            guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
            defer { BIO_free(bio) }
            return body(bio)
        }
    }

    /// Runs the closure with an empty memory BIO and returns what it wrote, or nil when the closure says false.
    static func text(writtenBy body: (OpaquePointer) -> Bool) -> String? {
        guard let bio = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(bio) }
        guard body(bio) else { return nil }
        var start: UnsafeMutablePointer<CChar>?
        let count = offhook_bio_contents(bio, &start)
        guard let start, count > 0 else { return nil }
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        return String(decoding: bytes, as: UTF8.self)
    }
}
