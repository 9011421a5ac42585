// SPDX-License-Identifier: MIT

import OffhookNet

/// Apple's judgement over the requests of one connection, without I/O.
///
/// The order of the checks is not documented by Apple; here the request's form comes first, then who asks, then
/// what is asked, then the device.
struct ProviderConnection {
    /// What the gateway decides.
    enum Verdict {
        /// The push is taken; the device gets it.
        case accept(Delivery)
        /// The push is taken, but its time is over: no device ever gets it, and the sender is not told.
        case expire(Delivery)
        /// The push is refused.
        case refuse(Refusal)
    }

    private static let tokenLifetime = 3_600.0
    private static let clockTolerance = 60.0
    private static let tokenUpdateInterval: Int64 = 1_200_000

    private let environment: APNsEnvironment
    private let keys: [String: ProviderKey]
    /// The apps, each with the id of its team.
    private let bundles: [String: String]
    private let acceptsUnknownTokens: Bool

    private(set) var teamID: String?
    private var authorization = ""
    private var token: ProviderToken?
    private var tokenChangedAt: Int64?
    private var blockedUntil: Int64?

    init(
        environment: APNsEnvironment, keys: [String: ProviderKey], bundles: [String: String],
        acceptsUnknownTokens: Bool = false
    ) {
        self.environment = environment
        self.acceptsUnknownTokens = acceptsUnknownTokens
        self.keys = keys
        self.bundles = bundles
    }

    /// Judges a request.
    ///
    /// - Parameters:
    ///   - request: The request as it came.
    ///   - devices: The known device tokens.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Whether the push is taken.
    mutating func judge(_ request: HTTP2Request, devices: DeviceRegistry, at now: Int64) -> Verdict {
        let id: String
        switch messageID(request) {
        case .given(let given): id = given
        case .missing: id = randomUUID()
        case .bad:
            let refusal = Refusal(
                status: 400, reason: "BadMessageId", explanation: "apns-id is no UUID (8-4-4-4-12)", id: randomUUID())
            return .refuse(refusal)
        }
        do {
            let delivery = try check(request, id: id, devices: devices, at: now)
            if case .at(let seconds) = delivery.expiration, seconds * 1_000 <= now { return .expire(delivery) }
            return .accept(delivery)
        } catch {
            return .refuse(
                Refusal(
                    status: error.status, reason: error.reason, explanation: error.explanation, id: id,
                    tokenInvalidSince: error.since))
        }
    }

    private struct Fault: Error {
        let status: Int
        let reason: String
        let explanation: String
        var since: Int64?

        init(_ status: Int, _ reason: String, _ explanation: String, since: Int64? = nil) {
            self.status = status
            self.reason = reason
            self.explanation = explanation
            self.since = since
        }
    }

    private mutating func check(
        _ request: HTTP2Request, id: String, devices: DeviceRegistry, at now: Int64
    ) throws(Fault) -> Delivery {
        guard request.method == "POST" else {
            throw Fault(405, "MethodNotAllowed", "the method is \(request.method); a push is a POST")
        }
        let prefix = "/3/device/"
        guard request.path.hasPrefix(prefix), !request.path.dropFirst(prefix.count).contains("/") else {
            throw Fault(404, "BadPath", "the path is not /3/device/<token>")
        }
        try checkDuplicates(request)
        try authorize(request, at: now)
        let push = try PushFields(request)
        try checkTopic(push.topic, type: push.type)
        try checkPayload(request, limit: push.type == "voip" ? 5_120 : 4_096)
        let token = request.path.dropFirst(prefix.count)
        try checkToken(token, push, devices: devices)
        return Delivery(
            id: id, uniqueID: environment == .development ? randomUUID() : nil, token: token.lowercased(),
            topic: push.topic, pushType: push.type, payload: request.body, priority: push.priority,
            expiration: push.expiration, collapseID: push.collapseID)
    }

    private func checkDuplicates(_ request: HTTP2Request) throws(Fault) {
        let headers = request.headers
        for (index, header) in headers.enumerated()
        where header.name.hasPrefix("apns-") || header.name == "authorization" {
            for other in headers[(index + 1)...] where other.name == header.name {
                throw Fault(400, "DuplicateHeaders", "\(header.name) is given twice")
            }
        }
    }

    // MARK: - Who asks

    private mutating func authorize(_ request: HTTP2Request, at now: Int64) throws(Fault) {
        guard let authorization = request.header("authorization") else {
            throw Fault(403, "MissingProviderToken", "the request has no authorization field")
        }
        if let blockedUntil, now < blockedUntil {
            throw Fault(
                429, "TooManyProviderTokenUpdates",
                "this connection changed its token too often and is of no use for \((blockedUntil - now) / 1_000) s")
        }
        let checked: ProviderToken
        if let token, authorization == self.authorization {
            checked = token
        } else {
            do {
                checked = try ProviderToken(authorization: authorization, keys: keys)
            } catch {
                throw Fault(403, "InvalidProviderToken", error.explanation)
            }
        }
        let age = Double(now) / 1_000 - checked.issuedAt
        guard age <= Self.tokenLifetime, age >= -Self.clockTolerance else {
            throw Fault(
                403, "ExpiredProviderToken",
                age < 0
                    ? "the token's iat is \(Int(-age)) s in the future; check the clock"
                    : "the token is \(Int(age)) s old; an hour is the most")
        }
        guard checked.key.environments.contains(environment) else {
            throw Fault(
                403, "BadEnvironmentKeyIdInToken",
                "key \(checked.key.keyID) is not one of the \(environment.rawValue) environment")
        }
        if let teamID, teamID != checked.key.teamID {
            throw Fault(
                403, "UnrelatedKeyIdInToken",
                "this connection belongs to team \(teamID) since its first push; open another for \(checked.key.teamID)"
            )
        }
        if let topics = checked.key.topics, let topic = request.header("apns-topic"), !topics.contains(topic) {
            throw Fault(403, "UnrelatedKeyIdInToken", "key \(checked.key.keyID) is not one for topic \(topic)")
        }
        if authorization != self.authorization {
            if let tokenChangedAt, now - tokenChangedAt < Self.tokenUpdateInterval {
                blockedUntil = now + Self.tokenUpdateInterval
                throw Fault(
                    429, "TooManyProviderTokenUpdates",
                    "a second token after \((now - tokenChangedAt) / 1_000) s; use one for at least 20 minutes")
            }
            self.authorization = authorization
            tokenChangedAt = now
        }
        token = checked
        teamID = checked.key.teamID
    }

    // MARK: - What is asked

    private func checkTopic(_ topic: String, type: String) throws(Fault) {
        let isVoIPTopic = topic.hasSuffix(".voip")
        let bundleID = isVoIPTopic ? String(topic.dropLast(5)) : topic
        guard !bundleID.isEmpty, topic.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw Fault(400, "BadTopic", "\"\(topic)\" is no topic")
        }
        guard let owner = bundles[bundleID], owner == teamID else {
            throw Fault(400, "TopicDisallowed", "team \(teamID ?? "") has no app \(bundleID)")
        }
        if isVoIPTopic && type != "voip" {
            throw Fault(400, "InvalidPushType", "topic \(topic) wants apns-push-type voip, not \(type)")
        }
        if !isVoIPTopic && type == "voip" {
            throw Fault(400, "DeviceTokenNotForTopic", "push type voip wants topic \(topic).voip")
        }
    }

    private func checkPayload(_ request: HTTP2Request, limit: Int) throws(Fault) {
        guard !request.body.isEmpty else { throw Fault(400, "PayloadEmpty", "the request has no body") }
        guard !request.isBodyTruncated, request.body.count <= limit else {
            let size = request.isBodyTruncated ? "more than \(request.body.count)" : "\(request.body.count)"
            throw Fault(413, "PayloadTooLarge", "the payload has \(size) bytes; \(limit) is the most")
        }
        guard JSONText.isObject(request.body) else {
            throw Fault(400, "PayloadEmpty", "the body is no JSON object, so there is no payload in it")
        }
    }

    private func checkToken(_ token: Substring, _ push: PushFields, devices: DeviceRegistry) throws(Fault) {
        guard !token.isEmpty else { throw Fault(400, "MissingDeviceToken", "the path ends without a device token") }
        guard token.utf8.count.isMultiple(of: 2), token.allSatisfy(\.isHexDigit) else {
            throw Fault(400, "BadDeviceToken", "the token is not hexadecimal")
        }
        guard let device = devices.devices[token.lowercased()] else {
            if acceptsUnknownTokens { return }
            throw Fault(400, "BadDeviceToken", "no device ever got this token")
        }
        guard device.environment == environment else {
            throw Fault(
                400, "BadDeviceToken",
                "the token is one of the \(device.environment.rawValue) environment, this is \(environment.rawValue)")
        }
        let topic = device.kind == .voip ? device.bundleID + ".voip" : device.bundleID
        guard push.topic == topic else {
            throw Fault(400, "DeviceTokenNotForTopic", "the token is for topic \(topic), not \(push.topic)")
        }
        if let dead = device.dead {
            throw Fault(410, dead.reason.rawValue, "the token is dead; send no more to it", since: dead.since)
        }
    }
}

// MARK: - Fields

extension ProviderConnection {
    /// The fields that describe a push, checked for their form.
    private struct PushFields {
        private static let types: Set<String> = [
            "alert", "background", "location", "voip", "complication", "fileprovider", "mdm", "liveactivity",
            "pushtotalk", "widgets", "controls",
        ]

        let topic: String
        let type: String
        let priority: Int
        let expiration: Delivery.Expiration
        let collapseID: String?

        init(_ request: HTTP2Request) throws(Fault) {
            guard let topic = request.header("apns-topic") else {
                throw Fault(400, "MissingTopic", "apns-topic is absent; with a provider token it is required")
            }
            guard let type = request.header("apns-push-type") else {
                throw Fault(400, "InvalidPushType", "apns-push-type is absent; since iOS 13 it is required")
            }
            guard Self.types.contains(type) else {
                throw Fault(400, "InvalidPushType", "\"\(type)\" is no push type")
            }
            self.topic = topic
            self.type = type
            switch request.header("apns-priority") {
            case nil, "10": priority = 10
            case "5": priority = 5
            case "1": priority = 1
            case let text?: throw Fault(400, "BadPriority", "\"\(text)\" is not 10, 5 or 1")
            }
            switch request.header("apns-expiration") {
            case nil: expiration = .unspecified
            case "0": expiration = .immediate
            case let text?:
                guard let seconds = Int64(text), seconds > 0, seconds < 1 << 40, text.utf8.allSatisfy({ $0 != 0x2b })
                else { throw Fault(400, "BadExpirationDate", "\"\(text)\" is no whole number of seconds since 1970") }
                expiration = .at(seconds: seconds)
            }
            collapseID = request.header("apns-collapse-id")
            if let collapseID, collapseID.utf8.count > 64 {
                throw Fault(400, "BadCollapseId", "the collapse id has \(collapseID.utf8.count) bytes; 64 is the most")
            }
        }
    }

    private enum MessageID {
        case given(String)
        case missing
        case bad
    }

    private func messageID(_ request: HTTP2Request) -> MessageID {
        guard let text = request.header("apns-id") else { return .missing }
        let isCanonical =
            text.utf8.count == 36
            && text.utf8.enumerated().allSatisfy { position, byte in
                switch position {
                case 8, 13, 18, 23: byte == UInt8(ascii: "-")
                default: Character(Unicode.Scalar(byte)).isHexDigit
                }
            }
        return isCanonical ? .given(text) : .bad
    }

    private func randomUUID() -> String {
        var bytes = SecureRandom.bytes(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
