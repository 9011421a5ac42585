// SPDX-License-Identifier: MIT

public import OffhookCore

extension WireCodec {
    /// A server's message as a JSON text frame.
    public static func encode(_ message: ServerMessage) -> String {
        var object: JSONObject = ["v": .integer(Int64(version))]
        object.set("seq", message.sequence)
        object.set("type", message.body.typeName)
        object.set("call", message.body.call)
        switch message.body {
        case .welcome(let welcome):
            object.set("session", welcome.session)
            object.set("resumed", welcome.resumed)
            object.set("user", welcome.user)
            object.set("now", welcome.now)
            object.append("calls", .array(welcome.calls.map { .object(snapshot($0)) }))
        case .ack(let replyTo): object.set("replyTo", replyTo)
        case .error(let failure):
            object.set("replyTo", failure.replyTo)
            object.set("code", failure.code.rawValue)
            object.set("message", failure.message)
            object.set("retryable", failure.retryable)
        case .invited(let invitation): object.set(invitation)
        case .joined(_, let other): object.set("into", other)
        case .ended(_, let reason): object.set("reason", reason.rawValue)
        case .media(_, let signal): object.set("signal", signal)
        case .update(_, let update): object.set(update)
        case .ringing, .answered: break
        }
        return JSONValue.object(object).text
    }

    /// Reads a server's message.
    ///
    /// A reason that is none of this version's reads as `failed`: the end counts more than its reason.
    ///
    /// - Throws: ``WireError`` that says what is wrong; a client leaves out a message of unknown type or with a wrong
    ///   field, and gives up a connection that carries anything else.
    public static func decodeServerMessage(_ text: String) throws(WireError) -> ServerMessage {
        let fields = WireFields(try object(text, limit: maximumServerFrame))
        let sequence = try fields.optionalSequence("seq")
        return ServerMessage(
            sequence: sequence, body: try serverBody(try fields.string("type", bytes: 1...64), fields))
    }

    private static func serverBody(_ type: String, _ fields: WireFields) throws(WireError) -> ServerMessage.Body {
        switch type {
        case "welcome": return .welcome(try welcome(fields))
        case "ack": return .ack(replyTo: try fields.string("replyTo", bytes: 1...64))
        case "error":
            return .error(
                WireFailure(
                    code: WireFailure.Code(rawValue: try fields.string("code", bytes: 1...64)),
                    message: try fields.string("message", bytes: 0...1024),
                    retryable: try fields.optionalBool("retryable") ?? false,
                    replyTo: try fields.optionalString("replyTo", bytes: 1...64),
                    call: fields.value("call") == nil ? nil : try fields.call()))
        case "invited": return .invited(try fields.invitation())
        case "ringing": return .ringing(call: try fields.call())
        case "answered": return .answered(call: try fields.call())
        case "joined": return .joined(call: try fields.call(), into: try fields.call("into"))
        case "ended":
            return .ended(call: try fields.call(), reason: try reason(fields))
        case "media": return .media(call: try fields.call(), signal: try fields.signal("signal"))
        case "update": return .update(call: try fields.call(), update: try fields.update())
        default: throw .unknownType
        }
    }

    private static func reason(_ fields: WireFields) throws(WireError) -> EndReason {
        EndReason(rawValue: try fields.string("reason", bytes: 1...64)) ?? .failed
    }

    private static func welcome(_ fields: WireFields) throws(WireError) -> Welcome {
        var calls: [CallSnapshot] = []
        for value in try fields.array("calls", atMost: 256) {
            guard case .object(let object) = value else { throw fields.bad("calls", "holds objects") }
            let fields = WireFields(object, prefix: "calls.")
            calls.append(
                CallSnapshot(
                    call: try fields.call(), state: try fields.choice("state", of: CallSnapshot.State.self),
                    outgoing: try fields.bool("outgoing"),
                    reason: fields.value("reason") == nil ? nil : try reason(fields),
                    invitation: fields.value("invitation") == nil ? nil : try fields.fields("invitation").invitation()))
        }
        return Welcome(
            session: try fields.string("session", bytes: 1...128), resumed: try fields.bool("resumed"),
            user: try fields.string("user", bytes: 1...256), now: try fields.instant("now"), calls: calls)
    }

    private static func snapshot(_ snapshot: CallSnapshot) -> JSONObject {
        var object: JSONObject = [:]
        object.set("call", snapshot.call)
        object.set("state", snapshot.state.rawValue)
        object.set("outgoing", snapshot.outgoing)
        object.set("reason", snapshot.reason?.rawValue)
        if let invitation = snapshot.invitation {
            var inner: JSONObject = [:]
            inner.set("call", invitation.call)
            inner.set(invitation)
            object.append("invitation", .object(inner))
        }
        return object
    }
}

extension ServerMessage.Body {
    /// The message's `type` on the wire.
    public var typeName: String {
        switch self {
        case .welcome: "welcome"
        case .ack: "ack"
        case .error: "error"
        case .invited: "invited"
        case .ringing: "ringing"
        case .answered: "answered"
        case .joined: "joined"
        case .ended: "ended"
        case .media: "media"
        case .update: "update"
        }
    }

    /// The call a message is about, if it is about one.
    public var call: CallID? {
        switch self {
        case .welcome, .ack: nil
        case .error(let failure): failure.call
        case .invited(let invitation): invitation.call
        case .ringing(let call), .answered(let call), .joined(let call, _), .ended(let call, _),
            .media(let call, _), .update(let call, _):
            call
        }
    }
}
