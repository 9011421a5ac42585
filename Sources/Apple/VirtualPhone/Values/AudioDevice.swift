// SPDX-License-Identifier: MIT

/// Something that makes or takes sound and can be connected to the phone (R51, P34).
public struct AudioDevice: Hashable, Sendable, Codable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// Headphones on a wire, without a microphone.
        case wiredHeadphones
        /// A headset on a wire, with a microphone.
        case wiredHeadset
        /// A Bluetooth hands-free device: microphone and sound for calls.
        case bluetoothHFP
        /// A Bluetooth device for music: sound alone.
        case bluetoothA2DP
        /// A car: microphone and sound.
        case carAudio
    }

    /// What it is.
    public var kind: Kind
    /// The name that the phone shows.
    public var name: String
    /// Whether it can record in high quality, as some hands-free devices do from iOS 26.0 on (V4).
    public var recordsInHighQuality = false
    /// Whether it can listen to a whole room, as some hands-free devices do from iOS 26.2 on (V4).
    public var hearsFarField = false

    /// Describes a device.
    public init(kind: Kind, name: String) {
        self.kind = kind
        self.name = name
    }

    /// Headphones on a wire.
    public static func wiredHeadphones(name: String = "Headphones") -> AudioDevice {
        AudioDevice(kind: .wiredHeadphones, name: name)
    }

    /// A headset on a wire.
    public static func wiredHeadset(name: String = "Headset") -> AudioDevice {
        AudioDevice(kind: .wiredHeadset, name: name)
    }

    /// A Bluetooth hands-free device; earbuds are one, and a ``bluetoothA2DP(name:)`` too.
    public static func bluetoothHFP(
        name: String, recordsInHighQuality: Bool = false, hearsFarField: Bool = false
    ) -> AudioDevice {
        var device = AudioDevice(kind: .bluetoothHFP, name: name)
        device.recordsInHighQuality = recordsInHighQuality
        device.hearsFarField = hearsFarField
        return device
    }

    /// A Bluetooth device for music.
    public static func bluetoothA2DP(name: String) -> AudioDevice {
        AudioDevice(kind: .bluetoothA2DP, name: name)
    }

    /// A car.
    public static func carAudio(name: String = "Car") -> AudioDevice {
        AudioDevice(kind: .carAudio, name: name)
    }

    /// Names the device; two devices with the same one are one.
    public var uid: String { "\(kind.rawValue)-\(name)" }
}

/// What the user chooses with the sound button of the in-call screen (R51).
public enum AudioRouteChoice: Hashable, Sendable, Codable {
    /// The phone's earpiece.
    case receiver
    /// The phone's speaker.
    case speaker
    /// A connected device.
    case device(AudioDevice)
}
