// SPDX-License-Identifier: MIT

import Testing

@testable import OffhookPush

@Suite struct PushReactionTests {
    /// One row of Apple's table of statuses and reasons.
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let reason: String?
        let reaction: PushReaction
        let isRetried: Bool

        init(_ status: Int, _ reason: String?, _ reaction: PushReaction, retried: Bool = false) {
            self.status = status
            self.reason = reason
            self.reaction = reaction
            isRetried = retried
        }

        var testDescription: String { "\(status) \(reason ?? "no reason") → \(reaction)" }
    }

    static let table = [
        Row(400, "BadDeviceToken", .checkToken),
        Row(400, "DeviceTokenNotForTopic", .quarantineToken),
        Row(400, "MissingTopic", .fixConfiguration),
        Row(400, "BadTopic", .fixConfiguration),
        Row(400, "TopicDisallowed", .fixConfiguration),
        Row(400, "BadCollapseId", .fixSender),
        Row(400, "BadExpirationDate", .fixSender),
        Row(400, "BadMessageId", .fixSender),
        Row(400, "BadPriority", .fixSender),
        Row(400, "InvalidPushType", .fixSender),
        Row(400, "DuplicateHeaders", .fixSender),
        Row(400, "PayloadEmpty", .fixSender),
        Row(400, "MissingDeviceToken", .fixSender),
        Row(400, "IdleTimeout", .reconnect, retried: true),
        Row(403, "ExpiredProviderToken", .renewProviderToken, retried: true),
        Row(403, "InvalidProviderToken", .stopCredential),
        Row(403, "MissingProviderToken", .stopCredential),
        Row(403, "Forbidden", .stopCredential),
        Row(403, "UnrelatedKeyIdInToken", .changeConnection, retried: true),
        Row(403, "BadEnvironmentKeyIdInToken", .fixConfiguration),
        Row(403, "BadEnvironmentKeyInToken", .fixConfiguration),
        Row(403, "BadCertificate", .fixConfiguration),
        Row(403, "BadCertificateEnvironment", .fixConfiguration),
        Row(404, "BadPath", .fixSender),
        Row(405, "MethodNotAllowed", .fixSender),
        Row(410, "Unregistered", .deleteToken),
        Row(410, "ExpiredToken", .deleteToken),
        Row(413, "PayloadTooLarge", .fixSender),
        Row(429, "TooManyRequests", .backOffToken),
        Row(429, "TooManyProviderTokenUpdates", .freezeProviderToken, retried: true),
        Row(500, "InternalServerError", .retrySoon, retried: true),
        Row(503, "ServiceUnavailable", .reconnect, retried: true),
        Row(503, "Shutdown", .reconnect, retried: true),
        // Reasons of the future, and machines on the way that send none.
        Row(400, "SomethingNew", .reportUnknown),
        Row(403, "SomethingNew", .reportUnknown),
        Row(403, nil, .reportUnknown),
        Row(410, "SomethingNew", .deleteToken),
        Row(429, nil, .backOffToken),
        Row(500, "SomethingNew", .retrySoon, retried: true),
        Row(503, nil, .reconnect, retried: true),
        Row(520, nil, .retrySoon, retried: true),
        Row(599, nil, .retrySoon, retried: true),
        Row(302, nil, .reportUnknown),
    ]

    @Test(arguments: table)
    func aRowHasItsReaction(row: Row) {
        let reaction = PushReaction.to(status: row.status, reason: row.reason)
        #expect(reaction == row.reaction)
        #expect(reaction.isRetried == row.isRetried)
    }

    @Test func everyReactionHasARow() {
        #expect(Set(Self.table.map(\.reaction)) == Set(PushReaction.allCases))
    }

    @Test(arguments: [
        ("{\"reason\":\"Unregistered\",\"timestamp\":1700000000123}", "Unregistered", 1_700_000_000_123),
        ("{ \"timestamp\" : 5 , \"reason\" : \"ExpiredToken\" }", "ExpiredToken", 5),
        ("{\"reason\":\"BadDeviceToken\"}", "BadDeviceToken", nil),
        ("", nil, nil), ("<html>", nil, nil), ("{}", nil, nil), ("{\"reason\"}", nil, nil), ("{\"reason\":}", nil, nil),
        ("{\"reason\":5}", nil, nil), ("{\"reason\":\"\"}", nil, nil), ("{\"reason\":\"a b<script>\"}", nil, nil),
        ("{\"timestamp\":99999999999999999999}", nil, nil), ("{\"timestamp\":\"x\"}", nil, nil), ("{", nil, nil),
        ("{\"reason\":\"Bad", nil, nil), ("{\"reason\"::\"Bad\"}", nil, nil),
        ("{\"reason\":\"Shutdown\"}\n", "Shutdown", nil), ("{\"error\":{\"reason\":\"Shutdown\"}}", nil, nil),
        ("{\"reason\":null,\"timestamp\":5}", nil, 5),
        ("{\"reason\":\"Shutdown\",\"timestamp\":true}", "Shutdown", nil),
        ("{\"reason\":\"B\\u0061d\"}", "Bad", nil), ("{\"reason\":\"\\ud800\",\"timestamp\":5}", nil, 5),
        ("{\"timestamp\":1e400}", nil, nil), ("{\"timestamp\":1.5}", nil, nil), ("{\"timestamp\":-5}", nil, nil),
        ("{\"timestamp\":9223372036854775807}", nil, 9_223_372_036_854_775_807), ("{\"reason\":\"Bad\"} x", nil, nil),
        ("{\"reason\":" + String(repeating: "[", count: 1_000), nil, nil),
        ("{\"x\":" + String(repeating: "[", count: 500) + String(repeating: "]", count: 500) + "}", nil, nil),
        ("{\"reason\":\"" + String(repeating: "B", count: 65) + "\"}", nil, nil),
        ("{\"reason\":\"Bad\"}" + String(repeating: " ", count: 1_024), nil, nil),
        ("<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>{\"reason\":\"Bad\"}</body></html>", nil, nil),
        ("error code: 522", nil, nil), ("{error code: 521}", nil, nil),
        ("upstream connect error {\"reason\":\"Bad\"}", nil, nil),
    ])
    func theBodyIsReadOrIgnoredNeverAnError(text: String, reason: String?, timestamp: Int64?) {
        let body = AnswerBody(Array(text.utf8))
        #expect(body.reason == reason)
        #expect(body.timestamp == timestamp)
    }

    @Test func anyBytesAreReadWithoutTrapping() {
        let text = Array("{\"reason\":\"Unregistered\",\"timestamp\":1700000000123}".utf8)
        for index in text.indices {
            _ = AnswerBody(Array(text[0..<index]))
            _ = AnswerBody(Array(text[index...]))
            for byte: UInt8 in [0, 0x22, 0x3a, 0x5c, 0x7b, 0x7d, 0xff] {
                var changed = text
                changed[index] = byte
                _ = AnswerBody(changed)
            }
        }
    }
}
