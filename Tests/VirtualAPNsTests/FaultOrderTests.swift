// SPDX-License-Identifier: MIT

import OffhookNet
import Testing
import VirtualAPNs

@Suite struct FaultOrderTests {
    @Test(
        arguments: [
            ("503", GatewayFault.answer(status: 503, reason: "ServiceUnavailable"), 1, nil),
            ("429*3@ABCD", .answer(status: 429, reason: "TooManyRequests"), 3, "abcd"),
            ("403:ExpiredProviderToken", .answer(status: 403, reason: "ExpiredProviderToken"), 1, nil),
            ("500*forever", .answer(status: 500, reason: "InternalServerError"), nil, nil),
            ("599", .answer(status: 599, reason: nil), 1, nil),
            ("reset", .resetStream(.internalError), 1, nil),
            ("reset:8", .resetStream(HTTP2ErrorCode(rawValue: 8)), 1, nil),
            ("refuse*2", .refuseStream, 2, nil), ("silence", .neverAnswer, 1, nil), ("close", .closeConnection, 1, nil),
            ("deliver-close", .deliverThenClose, 1, nil),
            ("goaway", .goAway(reason: "Shutdown", processesRequest: true), 1, nil),
            ("goaway-unprocessed:BadDeviceToken", .goAway(reason: "BadDeviceToken", processesRequest: false), 1, nil),
            ("delay:1500ms", .delay(.milliseconds(1_500)), 1, nil), ("delay:2s*5", .delay(.seconds(2)), 5, nil),
        ] as [(String, GatewayFault, Int?, String?)])
    func aFaultIsReadAsItIsTyped(text: String, fault: GatewayFault, count: Int?, token: String?) throws {
        let order = try FaultOrder(text)
        #expect(order.fault == fault)
        #expect(order.count == count)
        #expect(order.token == token)
    }

    @Test func anEdgeAnswersWithAPage() throws {
        guard case .answerWith(522, let body) = try FaultOrder("edge:522").fault else {
            Issue.record("an edge answers with its own status")
            return
        }
        #expect(body.hasPrefix("<html>"))
    }

    @Test(arguments: [
        "", "quux", "99", "600", "503:", "503:two words", "503*0", "503*x", "503@", "503@xyz", "reset:x", "refuse:1",
        "delay", "delay:", "delay:0s", "delay:-2s", "delay:2", "edge:1", "goaway:\"}", "*3", "@ab",
        "delay:99999999999h",
    ])
    func aWrongWordIsExplained(text: String) {
        let error = #expect(throws: FaultOrder.Flaw.self) { try FaultOrder(text) }
        #expect(error?.message.contains("'\(text)'") == true)
    }

    @Test(
        arguments: [
            ("0s", 0), ("+90m", 5_400_000), ("-2h", -7_200_000), ("15ms", 15), ("1s", 1_000), ("s", nil), ("", nil),
            ("1d", nil), ("9223372036854775807h", nil), ("-9223372036854775808ms", nil), ("1.5s", nil),
        ] as [(String, Int64?)])
    func timesAreReadAsTheyAreTyped(text: String, milliseconds: Int64?) {
        #expect(TimeText.milliseconds(text) == milliseconds)
    }
}
