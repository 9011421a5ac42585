// SPDX-License-Identifier: MIT

import Foundation

// K10: what APNs takes as a payload.
enum PushPayloadCheck {
    /// The most bytes of a VoIP push.
    static let voIPLimit = 5_120
    /// The most bytes of any other notification.
    static let alertLimit = 4_096
    /// How deep Foundation reads.
    private static let depthLimit = 512

    /// Why APNs would not take a payload; nil when it would.
    ///
    /// It must be one JSON object in UTF-8. Of members with the same name the last one counts.
    static func refusal(of payload: Data, limit: Int) -> PushRefusal? {
        guard !payload.isEmpty else { return .empty }
        guard payload.count <= limit else { return .tooLarge }
        // Else Foundation would guess at UTF-16, UTF-32 and byte order marks.
        guard payload.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{"),
            !payload.contains(0)
        else { return .notAnObject }
        if depth(of: payload) > depthLimit { return .tooDeep }
        return object(payload) == nil ? .notAnObject : nil
    }

    /// The members of a payload.
    static func object(_ payload: Data) -> [String: Any]? {
        (try? JSONSerialization.jsonObject(with: payload)) as? [String: Any]
    }

    private static func depth(of payload: Data) -> Int {
        var depth = 0
        var deepest = 0
        var isInString = false
        var isEscaped = false
        for byte in payload {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return deepest
    }
}
