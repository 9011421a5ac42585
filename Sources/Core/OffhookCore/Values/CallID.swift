// SPDX-License-Identifier: MIT

/// Identifies one call everywhere: in the push, on the socket, in CallKit and in the call record.
///
/// A UUID (RFC 9562) made by the caller's device or by the server, one per call, never reused. It is kept as two
/// numbers because Core imports no Foundation.
public struct CallID: Hashable, Sendable {
    /// The first eight octets, most significant first.
    public let high: UInt64
    /// The last eight octets, most significant first.
    public let low: UInt64

    /// Makes an identifier of its 16 octets.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

extension CallID: Comparable {
    /// Orders identifiers as their text does.
    public static func < (left: CallID, right: CallID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension CallID: LosslessStringConvertible {
    /// Reads the 36-character form of RFC 9562, in upper or lower case; nil for anything else.
    public init?(_ description: String) {
        var octets: [UInt64] = [0, 0]
        var digits = 0
        var position = 0
        for byte in description.utf8 {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard digits < 32, let value = CallID.hexadecimalValue(of: byte) else { return nil }
                octets[digits / 16] = octets[digits / 16] << 4 | value
                digits += 1
            }
            position += 1
        }
        guard position == 36 else { return nil }
        self.init(high: octets[0], low: octets[1])
    }

    /// The 36-character form of RFC 9562 in lower case.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { text.append(UInt8(ascii: "-")) }
            let half = index < 16 ? high : low
            let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - 4 * (index % 16)) & 0xF)
            text.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func hexadecimalValue(of byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension CallID: Codable {
    /// Decodes the text form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = CallID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a call id is a UUID")
        }
        self = identifier
    }

    /// Encodes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
