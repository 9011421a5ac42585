// SPDX-License-Identifier: MIT

/// What `PUT /devices/TOKEN?…` asks for.
struct DeviceChange {
    let token: String
    var bundle: String?
    var environment: APNsEnvironment?
    var kind: DeviceTokenKind?
    var dead: DeadTokenReason?
    var since: Int64?
    var isAway: Bool?
    /// Whether the token is to be given out anew.
    var isRegistration = false

    init(token: String, _ query: [String: String]) throws(ConsoleDesk.Refusal) {
        guard token.utf8.count.isMultiple(of: 2), !token.isEmpty, token.utf8.count <= 400,
            token.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else { throw ConsoleDesk.Refusal(400, "A token is hexadecimal, an even number of digits, at most 400.") }
        self.token = token.lowercased()
        for (name, value) in query {
            switch name {
            case "bundle":
                bundle = value
                isRegistration = true
            case "environment":
                guard let word = APNsEnvironment(rawValue: value) else {
                    throw ConsoleDesk.Refusal(400, "environment is development or production, not '\(value)'.")
                }
                environment = word
                isRegistration = true
            case "kind":
                switch value {
                case "voip": kind = .voip
                case "notification": kind = .notification
                default: throw ConsoleDesk.Refusal(400, "kind is voip or notification, not '\(value)'.")
                }
                isRegistration = true
            case "since":
                since = Int64(try ConsoleDesk.number(value, name, 0...Int.max))
            case "state":
                switch value {
                case "here": isAway = false
                case "away": isAway = true
                case "unregistered": dead = .unregistered
                case "expired": dead = .expired
                default:
                    throw ConsoleDesk.Refusal(400, "state is here, away, unregistered or expired, not '\(value)'.")
                }
            default:
                throw ConsoleDesk.Refusal(
                    400, "/devices/TOKEN takes bundle, environment, kind, state and since, not '\(name)'.")
            }
        }
    }
}

/// A device token in `GET /devices`.
struct DeviceEntry: Codable {
    var token: String
    var bundle: String
    var environment: String
    var kind: String
    var state: String
    var waitingPush: String?

    init(_ registration: TokenRegistration) {
        token = registration.token
        bundle = registration.bundleID
        environment = registration.environment.rawValue
        kind = registration.kind == .voip ? "voip" : "notification"
        switch registration.deadReason {
        case .unregistered: state = "unregistered"
        case .expired: state = "expired"
        case nil: state = registration.isAway ? "away" : "here"
        }
        waitingPush = registration.waitingPush
    }
}
