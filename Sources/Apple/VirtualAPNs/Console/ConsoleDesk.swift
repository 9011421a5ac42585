// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet

/// Answers the console's requests.
final class ConsoleDesk: Sendable {
    typealias Answer = @Sendable (HTTPResponse) -> Void

    /// Why a request is not carried out.
    struct Refusal: Error {
        let response: HTTPResponse

        init(_ status: Int, _ text: String) {
            response = .text(status, text)
        }
    }

    private struct Reference {
        weak var gateway: VirtualAPNs?
    }

    private let gateway: Guarded<Reference>
    private let log: GatewayLog
    private let about: GatewayConsole.About
    private let loop: EventLoop

    init(gateway: VirtualAPNs, log: GatewayLog, about: GatewayConsole.About, loop: EventLoop) {
        self.gateway = Guarded(Reference(gateway: gateway))
        self.log = log
        self.about = about
        self.loop = loop
    }

    func handle(_ request: HTTPRequest, _ answer: @escaping Answer) {
        do throws(Refusal) {
            try checkOrigin(request)
            guard let gateway = gateway.withLock({ $0.gateway }) else { throw Refusal(503, "The gateway is gone.") }
            try route(request, gateway, answer)
        } catch {
            answer(error.response)
        }
    }

    /// Lets no page of another site in: neither by its own requests nor by a name that it points to this machine.
    private func checkOrigin(_ request: HTTPRequest) throws(Refusal) {
        guard let host = request.headers["Host"] else { throw Refusal(400, "The request has no Host.") }
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        let isNumeric = name.allSatisfy { "0123456789.".contains($0) } || name.hasPrefix("[")
        guard name.lowercased() == "localhost" || isNumeric else {
            throw Refusal(403, "The console is reached by an address or as localhost, not as \(name).")
        }
        if let origin = request.headers["Origin"], origin.lowercased() != "http://\(host.lowercased())" {
            throw Refusal(403, "A page of another site may not steer the gateway.")
        }
    }

    private func route(_ request: HTTPRequest, _ gateway: VirtualAPNs, _ answer: @escaping Answer) throws(Refusal) {
        let parts = request.path.split(separator: "/").map(String.init)
        let query = Self.query(request)
        switch (request.method, parts.first ?? "", parts.count) {
        case ("GET", "", 0), ("HEAD", "", 0): answer(ConsolePage.response)
        case ("GET", "about", 1): answer(Self.json(about))
        case ("GET", "log", 1): try readLog(query, answer)
        case ("DELETE", "log", 1):
            log.clear()
            answer(Self.done)
        case ("GET", "faults", 1): answer(.text(200, gateway.faultLines.joined(separator: "\n")))
        case ("POST", "faults", 1):
            for order in try faults(request) { gateway.inject(order) }
            answer(Self.done)
        case ("DELETE", "faults", 1):
            gateway.clearFaults()
            answer(Self.done)
        case ("PUT", "streams", 1):
            gateway.throttle(to: try streams(request))
            answer(Self.done)
        case ("PUT", "clock", 1):
            gateway.setClock(aheadBy: try clock(request))
            answer(Self.done)
        case ("POST", "goaway", 1):
            gateway.goAway(reason: try reason(request))
            answer(Self.done)
        case ("POST", "disconnect", 1):
            gateway.dropConnections()
            answer(Self.done)
        case ("GET", "devices", 1): answer(Self.json(gateway.registrations.map(DeviceEntry.init)))
        case ("PUT", "devices", 2):
            try put(DeviceChange(token: parts[1], query), gateway)
            answer(Self.done)
        case ("DELETE", "devices", 2):
            gateway.forget(token: parts[1])
            answer(Self.done)
        case (_, "", 0), (_, "about", 1), (_, "log", 1), (_, "faults", 1), (_, "streams", 1), (_, "clock", 1),
            (_, "goaway", 1), (_, "disconnect", 1), (_, "devices", 1...2):
            throw Refusal(405, "\(request.method) is not for \(request.path); docs/apns.md lists what is.")
        default: throw Refusal(404, "There is no \(request.path); docs/apns.md lists what there is.")
        }
    }

    // MARK: - The log

    private func readLog(_ query: [String: String], _ answer: @escaping Answer) throws(Refusal) {
        var filter = GatewayLog.Filter()
        var wait: Int64 = 0
        for (name, value) in query {
            switch name {
            case "after": filter.after = try Self.number(value, name, 0...Int.max)
            case "limit": filter.limit = try Self.number(value, name, 1...10_000)
            case "wait": wait = Int64(try Self.number(value, name, 0...60))
            case "token": filter.token = value.lowercased()
            case "kind":
                for word in value.split(separator: ",") {
                    guard let kind = LogEntry.Kind(rawValue: String(word)) else {
                        let known = LogEntry.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                        throw Refusal(400, "There is no kind '\(word)'; known: \(known).")
                    }
                    filter.kinds.insert(kind)
                }
            default: throw Refusal(400, "/log takes after, kind, token, limit and wait, not '\(name)'.")
            }
        }
        guard wait > 0 else { return answer(Self.json(log.page(filter))) }
        let ticket = log.wait(filter) { answer(Self.json($0)) }
        loop.schedule(after: .seconds(wait)) { [log] in log.giveUp(ticket) }
    }

    // MARK: - Orders

    private func faults(_ request: HTTPRequest) throws(Refusal) -> [FaultOrder] {
        var orders: [FaultOrder] = []
        for line in Self.text(request).split(whereSeparator: \.isWhitespace) {
            do throws(FaultOrder.Flaw) {
                orders.append(try FaultOrder(String(line)))
            } catch {
                throw Refusal(400, error.message)
            }
        }
        guard !orders.isEmpty else { throw Refusal(400, "The body is one fault a line, such as 429*3.") }
        return orders
    }

    private func streams(_ request: HTTPRequest) throws(Refusal) -> UInt32? {
        let text = Self.text(request)
        if text == "normal" { return nil }
        guard let streams = UInt32(text), (1...100_000).contains(streams) else {
            throw Refusal(400, "The body is a number of streams, 1 to 100000, or normal.")
        }
        return streams
    }

    private func clock(_ request: HTTPRequest) throws(Refusal) -> Int64 {
        guard let offset = TimeText.milliseconds(Self.text(request)) else {
            throw Refusal(400, "The body is how far the clock is ahead, such as +90m, -2h or 0s.")
        }
        return offset
    }

    private func reason(_ request: HTTPRequest) throws(Refusal) -> String {
        let text = Self.text(request)
        guard text.utf8.count <= 64, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw Refusal(400, "The body is one word, such as Shutdown.")
        }
        return text.isEmpty ? "Shutdown" : text
    }

    private func put(_ change: DeviceChange, _ gateway: VirtualAPNs) throws(Refusal) {
        let known = gateway.registrations.first { $0.token == change.token }
        if known == nil || change.isRegistration {
            guard let bundle = change.bundle ?? known?.bundleID ?? Self.only(about.bundles) else {
                throw Refusal(400, "Which app has the token? ?bundle=com.example.app")
            }
            gateway.register(
                token: change.token, bundle: bundle,
                environment: change.environment ?? known?.environment ?? gateway.configuration.environment,
                kind: change.kind ?? known?.kind ?? .voip
            ) { _ in }
        }
        if let reason = change.dead { gateway.unregister(token: change.token, reason: reason, since: change.since) }
        if let isAway = change.isAway { gateway.setAway(isAway, token: change.token) }
    }

    private static func only(_ bundles: [String: String]) -> String? {
        bundles.count == 1 ? bundles.first?.key : nil
    }

    // MARK: - Forms

    static let done = HTTPResponse(status: 204)

    static func json(_ value: some Encodable) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return .text(500, "The answer cannot be written.") }
        return .json(200, Array(data) + [0x0a], headers: ["Cache-Control": "no-store"])
    }

    private static func text(_ request: HTTPRequest) -> String {
        String(decoding: request.body, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func query(_ request: HTTPRequest) -> [String: String] {
        var components = URLComponents()
        components.percentEncodedQuery = request.head.query.flatMap { $0.isEmpty ? nil : $0 }
        return Dictionary(
            (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { _, last in last })
    }

    static func number(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(Refusal) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw Refusal(400, "\(name) is a whole number, \(range.lowerBound) to \(range.upperBound), not '\(text)'.")
        }
        return number
    }
}
