// SPDX-License-Identifier: MIT

public import Foundation

/// A person in the user's Contacts (R24).
public struct Contact: Hashable, Sendable, Codable {
    /// The name that calls of this person show.
    public var name: String
    /// Every address of the person.
    public var handles: [HandleValue]
    /// The photo that calls of this person show: the bytes of an image file.
    public var photo: Data?

    /// Describes a person.
    public init(name: String, handles: [HandleValue], photo: Data? = nil) {
        self.name = name
        self.handles = handles
        self.photo = photo
    }
}

/// How two addresses are found to be the same; Apple does not say what its match is (I4).
public enum HandleMatching: String, Hashable, Sendable, Codable {
    /// Phone numbers by their digits, email addresses without regard to case, others as they are.
    case normalized
    /// Kind and text are equal.
    case exact
}

/// The user's contacts, ready to be asked.
struct ContactBook: Hashable, Sendable {
    private(set) var people: [Contact] = []
    private var exact: [HandleValue: Int] = [:]
    private var normalized: [HandleValue: Int] = [:]

    init(people: [Contact] = []) {
        self.people = people
        for (index, person) in people.enumerated() {
            for handle in person.handles {
                exact[handle] = exact[handle] ?? index
                let key = handle.key(.normalized)
                normalized[key] = normalized[key] ?? index
            }
        }
    }

    init(names: [HandleValue: String]) {
        let sorted = names.sorted { ($0.key.type, $0.key.value) < ($1.key.type, $1.key.value) }
        self.init(people: sorted.map { Contact(name: $0.value, handles: [$0.key]) })
    }

    func person(_ handle: HandleValue, matching: HandleMatching) -> Contact? {
        let index = matching == .exact ? exact[handle] : normalized[handle.key(.normalized)]
        return index.map { people[$0] }
    }
}

extension HandleValue {
    /// CXHandle.HandleType's raw values.
    static let phoneNumber = 2
    static let emailAddress = 3

    /// What is compared instead of the address.
    func key(_ matching: HandleMatching) -> HandleValue {
        switch (matching, type) {
        case (.exact, _): return self
        case (.normalized, HandleValue.phoneNumber):
            // A service number such as *31# keeps its signs; of a number that can be dialled only the digits count.
            let digits = value.unicodeScalars.filter { "0"..."9" ~= $0 }
            let isNumber = !digits.isEmpty && !value.contains { "*#,;".contains($0) }
            return HandleValue(type: type, value: isNumber ? String(String.UnicodeScalarView(digits)) : value)
        case (.normalized, HandleValue.emailAddress): return HandleValue(type: type, value: value.lowercased())
        case (.normalized, _): return self
        }
    }
}
