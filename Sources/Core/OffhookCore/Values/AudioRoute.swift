// SPDX-License-Identifier: MIT

/// A way for the sound of a call, as the phone offers it (R51).
public struct AudioRoute: Hashable, Sendable, Codable, Identifiable {
    /// What kind of way.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The receiver at the ear; on phones, and only while no wired headset is in.
        case receiver
        /// The loudspeaker.
        case speaker
        /// A headset or microphone on a wire.
        case wired
        /// A Bluetooth headset.
        case bluetooth
        /// A car.
        case car
        /// Anything else, such as AirPlay.
        case other
    }

    /// The route's id, as the phone names it; `speaker` for the loudspeaker.
    public var id: String
    /// What kind of way.
    public var kind: Kind
    /// The name to show, such as the headset's own.
    public var name: String

    /// Makes a route.
    public init(id: String, kind: Kind, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
    }
}

/// The ways for the sound that exist now.
public struct AudioRoutes: Hashable, Sendable, Codable {
    /// All that can be chosen.
    public var available: [AudioRoute]
    /// The one in use; nil when the phone does not say (R51).
    public var current: AudioRoute.ID?

    /// Makes a list of routes.
    public init(available: [AudioRoute] = [], current: AudioRoute.ID? = nil) {
        self.available = available
        self.current = current
    }
}
