// SPDX-License-Identifier: MIT

import CNGHTTP2

/// Lays the fields of a message out for nghttp2 in memory that is used again for the next message.
struct HTTP2FieldList {
    private struct Entry {
        let name: Int
        let value: Int
        let isNeverIndexed: Bool
    }

    private var text: [UInt8] = []
    private var entries: [Entry] = []

    /// Starts a new message.
    mutating func begin() {
        text.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Adds a field.
    mutating func add(_ name: StaticString, _ value: String, isNeverIndexed: Bool = false) {
        text.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        add(value, name: name.utf8CodeUnitCount, isNeverIndexed)
    }

    /// Adds fields.
    mutating func add(_ headers: [HTTP2Header]) {
        for header in headers {
            let start = text.count
            text.append(contentsOf: header.name.utf8)
            add(header.value, name: text.count - start, header.isNeverIndexed)
        }
    }

    private mutating func add(_ value: String, name: Int, _ isNeverIndexed: Bool) {
        let start = text.count
        text.append(contentsOf: value.utf8)
        entries.append(Entry(name: name, value: text.count - start, isNeverIndexed: isNeverIndexed))
    }

    /// Runs the closure with the fields as nghttp2 wants them.
    mutating func withEntries(_ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> Int32) -> Int32 {
        // A message without any text still needs an address.
        text.append(0)
        return text.withUnsafeMutableBufferPointer { text in
            withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: entries.count) { fields in
                guard let start = text.baseAddress else { return Int32(NGHTTP2_ERR_NOMEM.rawValue) }
                var offset = 0
                for (index, entry) in entries.enumerated() {
                    let flag = entry.isNeverIndexed ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
                    fields.initializeElement(
                        at: index,
                        to: nghttp2_nv(
                            name: start + offset, value: start + offset + entry.name, namelen: entry.name,
                            valuelen: entry.value, flags: UInt8(flag.rawValue)))
                    offset += entry.name + entry.value
                }
                return body(fields)
            }
        }
    }
}
