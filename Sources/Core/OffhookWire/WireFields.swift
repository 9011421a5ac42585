// SPDX-License-Identifier: MIT

import OffhookCore

/// Reads the fields of one JSON object, with errors that name the field.
struct WireFields {
    let object: JSONObject
    /// What precedes a field's name in errors: empty, or the enclosing field and a dot.
    let prefix: String

    init(_ object: JSONObject, prefix: String = "") {
        self.object = object
        self.prefix = prefix
    }

    /// The value of a field; null counts as absent.
    func value(_ name: String) -> JSONValue? {
        let value = object[name]
        return value == .null ? nil : value
    }

    func required(_ name: String) throws(WireError) -> JSONValue {
        guard let value = value(name) else { throw .missingField(prefix + name) }
        return value
    }

    func bad(_ name: String, _ reason: String) -> WireError {
        .badField(prefix + name, reason: reason)
    }

    func string(_ name: String, bytes: ClosedRange<Int>) throws(WireError) -> String {
        guard case .string(let text) = try required(name) else { throw bad(name, "is a string") }
        guard bytes.contains(text.utf8.count) else {
            throw bad(name, "has \(bytes.lowerBound) to \(bytes.upperBound) bytes")
        }
        return text
    }

    func optionalString(_ name: String, bytes: ClosedRange<Int>) throws(WireError) -> String? {
        value(name) == nil ? nil : try string(name, bytes: bytes)
    }

    func bool(_ name: String) throws(WireError) -> Bool {
        guard case .bool(let flag) = try required(name) else { throw bad(name, "is true or false") }
        return flag
    }

    func optionalBool(_ name: String) throws(WireError) -> Bool? {
        value(name) == nil ? nil : try bool(name)
    }

    func integer(_ name: String, in range: ClosedRange<Int64>) throws(WireError) -> Int64 {
        guard case .integer(let number) = try required(name) else { throw bad(name, "is a whole number") }
        guard range.contains(number) else {
            throw bad(name, "is from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A sequence number: 0 to 2^53 - 1.
    func sequence(_ name: String) throws(WireError) -> Int {
        Int(truncatingIfNeeded: try integer(name, in: 0...WireFields.largestInteger))
    }

    func optionalSequence(_ name: String) throws(WireError) -> Int? {
        value(name) == nil ? nil : try sequence(name)
    }

    func instant(_ name: String) throws(WireError) -> Instant {
        Instant(milliseconds: try integer(name, in: 0...WireFields.largestInteger))
    }

    func call(_ name: String = "call") throws(WireError) -> CallID {
        guard case .string(let text) = try required(name), let call = CallID(text) else {
            throw bad(name, "is a UUID of 36 characters")
        }
        return call
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(WireError) -> Choice where Choice.RawValue == String {
        guard case .string(let text) = try required(name), let choice = Choice(rawValue: text) else {
            throw bad(name, "is one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    func fields(_ name: String) throws(WireError) -> WireFields {
        guard case .object(let object) = try required(name) else { throw bad(name, "is an object") }
        return WireFields(object, prefix: prefix + name + ".")
    }

    func array(_ name: String, atMost limit: Int) throws(WireError) -> [JSONValue] {
        guard case .array(let values) = try required(name) else { throw bad(name, "is an array") }
        guard values.count <= limit else { throw bad(name, "has at most \(limit) elements") }
        return values
    }

    /// What every double can hold: 2^53 - 1.
    static let largestInteger: Int64 = 9_007_199_254_740_991
}

extension WireFields {
    func handle(_ name: String) throws(WireError) -> Handle {
        let fields = try fields(name)
        return Handle(
            kind: try fields.value("kind") == nil ? .generic : fields.choice("kind", of: Handle.Kind.self),
            value: try fields.string("value", bytes: 1...256))
    }

    func signal(_ name: String) throws(WireError) -> MediaSignal {
        let fields = try fields(name)
        return MediaSignal(
            kind: try fields.choice("kind", of: MediaSignal.Kind.self),
            generation: Int(truncatingIfNeeded: try fields.integer("generation", in: 0...1_000_000)),
            body: try fields.string("body", bytes: 0...65_536))
    }

    func update() throws(WireError) -> CallUpdate {
        CallUpdate(
            held: try optionalBool("held"), muted: try optionalBool("muted"), video: try optionalBool("video"))
    }

    /// An invitation whose fields stand in this object; `call` is one of them.
    func invitation() throws(WireError) -> Invitation {
        let issuedAt = try instant("issuedAt")
        let expiresAt = try instant("expiresAt")
        guard issuedAt <= expiresAt else { throw bad("expiresAt", "is not before issuedAt") }
        return Invitation(
            call: try call(), callerName: try string("name", bytes: 1...256), callerHandle: try handle("handle"),
            video: try optionalBool("video") ?? false, issuedAt: issuedAt, expiresAt: expiresAt)
    }
}

extension JSONObject {
    mutating func set(_ name: String, _ text: String?) {
        if let text { append(name, .string(text)) }
    }

    mutating func set(_ name: String, _ flag: Bool?) {
        if let flag { append(name, .bool(flag)) }
    }

    mutating func set(_ name: String, _ number: Int?) {
        if let number { append(name, .integer(Int64(number))) }
    }

    mutating func set(_ name: String, _ instant: Instant) {
        append(name, .integer(instant.milliseconds))
    }

    mutating func set(_ name: String, _ call: CallID?) {
        if let call { append(name, .string(call.description)) }
    }

    mutating func set(_ name: String, _ handle: Handle) {
        append(name, .object(["kind": .string(handle.kind.rawValue), "value": .string(handle.value)]))
    }

    mutating func set(_ name: String, _ signal: MediaSignal) {
        append(
            name,
            .object([
                "kind": .string(signal.kind.rawValue), "generation": .integer(Int64(signal.generation)),
                "body": .string(signal.body),
            ]))
    }

    mutating func set(_ update: CallUpdate) {
        set("held", update.held)
        set("muted", update.muted)
        set("video", update.video)
    }

    /// The fields of an invitation but its call.
    mutating func set(_ invitation: Invitation) {
        set("name", invitation.callerName)
        set("handle", invitation.callerHandle)
        set("video", invitation.video)
        set("issuedAt", invitation.issuedAt)
        set("expiresAt", invitation.expiresAt)
    }
}
