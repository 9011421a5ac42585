// SPDX-License-Identifier: MIT

import FoundationEssentials

/// What stands in the body of a refusal; whatever a machine on the way sends instead is read as nothing.
struct AnswerBody: Equatable {
    /// Apple's reason.
    var reason: String?
    /// With 410: since when the token is dead, in milliseconds since 1970.
    var timestamp: Int64?

    init(_ body: [UInt8]) {
        guard body.first == UInt8(ascii: "{"), body.count <= 1_024,
            let fields = try? JSONDecoder().decode(AnswerBody.self, from: Data(body))
        else { return }
        self = fields
    }
}

extension AnswerBody: Decodable {
    private enum CodingKeys: String, CodingKey {
        case reason, timestamp
    }

    /// Reads the fields, each on its own: one that is not as Apple writes it does not hide the other.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if let word = try? fields.decode(String.self, forKey: .reason), Self.isReason(word) { reason = word }
        if let time = try? fields.decode(Int64.self, forKey: .timestamp), time >= 0 { timestamp = time }
    }

    /// Reasons are words; anything else is not one of Apple's.
    private static func isReason(_ word: String) -> Bool {
        (1...64).contains(word.utf8.count)
            && word.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
    }
}
