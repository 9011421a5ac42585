// SPDX-License-Identifier: MIT

/// How long an incoming call rings before the system ends it (I6).
public enum RingLimit: Hashable, Sendable, Codable {
    /// As the phone's system does: 60 s from iOS 16 on, no limit before.
    case bySystem
    /// It rings until somebody does something.
    case unlimited
    /// A time from the report on.
    case after(Duration)

    /// The limit on a phone with a system; nil for none.
    public func limit(on system: SystemVersion) -> Duration? {
        switch self {
        case .bySystem: return system < SystemVersion(16) ? nil : .seconds(60)
        case .unlimited: return nil
        case .after(let limit): return limit
        }
    }
}

/// Which answered calls bring their app to the screen (R75, P55).
public enum AnswerOpensApp: String, Hashable, Sendable, Codable {
    /// None: the system's call screen stays.
    case never
    /// Video calls: only the app can show the picture.
    case video
    /// Every call of an app.
    case always
}

/// Where the user asks for a call outside of the calling app (R123).
public enum CallRequestSource: String, Hashable, Sendable, Codable {
    /// A line of Recents.
    case recents
    /// A person's card in Contacts.
    case contacts
    /// By voice.
    case siri
}
