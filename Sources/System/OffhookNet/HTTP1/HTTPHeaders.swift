// SPDX-License-Identifier: MIT

/// The fields of an HTTP head in their order; names are compared without case.
public struct HTTPHeaders: Hashable, Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    /// One field line.
    public struct Field: Hashable, Sendable {
        /// The field's name as it was written.
        public var name: String
        /// The field's value without the space around it.
        public var value: String

        /// Makes a field line.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field]

    /// Makes the fields of a list, in its order.
    public init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields.map { Field(name: $0.name, value: $0.value) }
    }

    /// Makes the fields of a literal, in its order; a name may come twice.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first position.
    public var startIndex: Int { fields.startIndex }

    /// The position after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at a position.
    public subscript(position: Int) -> Field { fields[position] }

    /// The value of the only field of that name; nil when there is none or more than one.
    ///
    /// Setting replaces all.
    public subscript(name: String) -> String? {
        get {
            let values = self.values(of: name)
            return values.count == 1 ? values[0] : nil
        }
        set {
            remove(name)
            if let newValue { append(name, newValue) }
        }
    }

    /// All values of a name in their order.
    public func values(of name: String) -> [String] {
        fields.compactMap { $0.name.equalsIgnoringASCIICase(name) ? $0.value : nil }
    }

    /// Whether there is a field of that name.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.name.equalsIgnoringASCIICase(name) }
    }

    /// The comma-separated elements of all fields of a name, trimmed, empty ones left out (RFC 9110 §5.6.1).
    public func list(of name: String) -> [String] {
        values(of: name).flatMap { value in
            value.utf8.split(separator: UInt8(ascii: ",")).map { HTTPSyntax.trim($0) }.filter { !$0.isEmpty }
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Whether an element of the comma-separated list is the token, without case.
    public func list(of name: String, contains token: String) -> Bool {
        list(of: name).contains { $0.equalsIgnoringASCIICase(token) }
    }

    /// The name of the first field with a byte that HTTP does not allow; nil when all can be sent (RFC 9110 §5).
    public var firstInvalidName: String? {
        fields.first {
            !HTTPSyntax.isToken($0.name.utf8) || !$0.value.utf8.allSatisfy(HTTPSyntax.isValueByte)
        }?.name
    }

    /// Adds a field at the end.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields of a name.
    public mutating func remove(_ name: String) {
        fields.removeAll { $0.name.equalsIgnoringASCIICase(name) }
    }
}

extension String {
    /// Whether both are the same when ASCII letters' case does not count.
    func equalsIgnoringASCIICase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { HTTPSyntax.lowercased($0) == HTTPSyntax.lowercased($1) }
    }
}
