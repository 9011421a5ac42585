// SPDX-License-Identifier: MIT

public import OffhookCore

extension WireCodec {
    /// A client's message as a JSON text frame.
    public static func encode(_ message: ClientMessage) -> String {
        var object: JSONObject = ["v": .integer(Int64(version)), "id": .string(message.id)]
        object.set("type", message.body.typeName)
        object.set("call", message.body.call)
        switch message.body {
        case .hello(let hello):
            object.set("device", hello.device)
            object.set("session", hello.session)
            object.set("seq", hello.sequence)
            if !hello.calls.isEmpty { object.append("calls", .array(hello.calls.map { .string($0.description) })) }
        case .register(let registration):
            object.set("token", registration.token)
            object.set("environment", registration.environment.rawValue)
            object.set("bundle", registration.bundle)
        case .invite(_, let callee, let video):
            object.set("to", callee)
            object.set("video", video)
        case .hangup(_, let reason): object.set("reason", reason.rawValue)
        case .media(_, let signal): object.set("signal", signal)
        case .update(_, let update): object.set(update)
        case .ack(let sequence): object.set("seq", sequence)
        case .unregister, .ringing, .answer, .decline, .busy, .cancel, .connected: break
        }
        return JSONValue.object(object).text
    }

    /// Reads a client's message.
    ///
    /// - Throws: ``WireError`` that says what is wrong; the connection can go on.
    public static func decodeClientMessage(_ text: String) throws(WireError) -> ClientMessage {
        let fields = WireFields(try object(text, limit: maximumClientFrame))
        let id = try fields.string("id", bytes: 1...64)
        guard isMessageID(id) else { throw fields.bad("id", "is visible ASCII") }
        return ClientMessage(id: id, body: try clientBody(try fields.string("type", bytes: 1...64), fields))
    }

    private static func clientBody(_ type: String, _ fields: WireFields) throws(WireError) -> ClientMessage.Body {
        switch type {
        case "hello": return .hello(try hello(fields))
        case "register": return .register(try registration(fields))
        case "unregister": return .unregister
        case "invite":
            return .invite(
                call: try fields.call(), to: try fields.handle("to"), video: try fields.optionalBool("video") ?? false)
        case "ringing": return .ringing(call: try fields.call())
        case "answer": return .answer(call: try fields.call())
        case "decline": return .decline(call: try fields.call())
        case "busy": return .busy(call: try fields.call())
        case "cancel": return .cancel(call: try fields.call())
        case "hangup":
            let reason = fields.value("reason") == nil ? .localHangup : try fields.choice("reason", of: EndReason.self)
            return .hangup(call: try fields.call(), reason: reason)
        case "media": return .media(call: try fields.call(), signal: try fields.signal("signal"))
        case "connected": return .connected(call: try fields.call())
        case "update": return .update(call: try fields.call(), update: try fields.update())
        case "ack": return .ack(sequence: try fields.sequence("seq"))
        default: throw .unknownType
        }
    }

    private static func hello(_ fields: WireFields) throws(WireError) -> Hello {
        var calls: [CallID] = []
        if fields.value("calls") != nil {
            for value in try fields.array("calls", atMost: maximumCallsInHello) {
                guard case .string(let text) = value, let call = CallID(text) else {
                    throw fields.bad("calls", "holds UUIDs of 36 characters")
                }
                calls.append(call)
            }
        }
        return Hello(
            device: try fields.string("device", bytes: 1...64),
            session: try fields.optionalString("session", bytes: 1...128),
            sequence: try fields.optionalSequence("seq"), calls: calls)
    }

    private static func registration(_ fields: WireFields) throws(WireError) -> PushRegistration {
        let token = try fields.string("token", bytes: 2...256)
        let isHexadecimal = token.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                true
            default: false
            }
        }
        guard isHexadecimal, token.utf8.count.isMultiple(of: 2) else {
            throw fields.bad("token", "is the token's bytes in hexadecimal")
        }
        let bundle = try fields.string("bundle", bytes: 1...155)
        let isBundle = bundle.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isBundle else { throw fields.bad("bundle", "has letters, digits, hyphens and periods") }
        return PushRegistration(
            token: token.lowercased(),
            environment: try fields.choice("environment", of: PushRegistration.Environment.self), bundle: bundle)
    }
}

extension ClientMessage.Body {
    /// The message's `type` on the wire.
    public var typeName: String {
        switch self {
        case .hello: "hello"
        case .register: "register"
        case .unregister: "unregister"
        case .invite: "invite"
        case .ringing: "ringing"
        case .answer: "answer"
        case .decline: "decline"
        case .busy: "busy"
        case .cancel: "cancel"
        case .hangup: "hangup"
        case .media: "media"
        case .connected: "connected"
        case .update: "update"
        case .ack: "ack"
        }
    }

    /// The call a message is about, if it is about one.
    public var call: CallID? {
        switch self {
        case .hello, .register, .unregister, .ack: nil
        case .invite(let call, _, _), .ringing(let call), .answer(let call), .decline(let call), .busy(let call),
            .cancel(let call), .hangup(let call, _), .media(let call, _), .connected(let call), .update(let call, _):
            call
        }
    }
}
