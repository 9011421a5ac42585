// SPDX-License-Identifier: MIT

public import Foundation

/// Something that happens to a call that belongs to no installed app: cellular or FaceTime (G3, C1).
public enum OtherCallInput: Hashable, Sendable, Codable {
    /// It rings.
    case incoming(call: UUID, kind: OtherCallKind, handle: HandleValue?)
    /// The user places it in the phone app.
    case outgoing(call: UUID, kind: OtherCallKind, handle: HandleValue?)
    /// The other side answered.
    case connected(call: UUID)
    /// The other side ended it (G3).
    case endedRemotely(call: UUID)
}

/// What kind of call belongs to no installed app.
public enum OtherCallKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A call of the mobile network.
    case cellular
    /// A FaceTime call.
    case faceTime

    /// The bundle identifier of the system's app that shows such calls.
    public var app: String {
        switch self {
        case .cellular: return "com.apple.mobilephone"
        case .faceTime: return "com.apple.facetime"
        }
    }

    /// The name of that app on the call screen.
    public var appName: String {
        switch self {
        case .cellular: return "Phone"
        case .faceTime: return "FaceTime"
        }
    }
}
