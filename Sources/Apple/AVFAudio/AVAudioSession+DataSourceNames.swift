// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// Where on the phone a data source is.
    public struct Location: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the value.
        public let rawValue: String

        /// Takes any name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The upper end.
        public static let upper: AVAudioSession.Location = .init(rawValue: "Upper")
        /// The lower end.
        public static let lower: AVAudioSession.Location = .init(rawValue: "Lower")
    }
}

extension AVAudioSession {
    /// Where a data source points.
    public struct Orientation: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the value.
        public let rawValue: String

        /// Takes any name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Up.
        public static let top: AVAudioSession.Orientation = .init(rawValue: "Top")
        /// Down.
        public static let bottom: AVAudioSession.Orientation = .init(rawValue: "Bottom")
        /// To the front.
        public static let front: AVAudioSession.Orientation = .init(rawValue: "Front")
        /// To the back.
        public static let back: AVAudioSession.Orientation = .init(rawValue: "Back")
        /// To the left.
        public static let left: AVAudioSession.Orientation = .init(rawValue: "Left")
        /// To the right.
        public static let right: AVAudioSession.Orientation = .init(rawValue: "Right")
    }
}

extension AVAudioSession {
    /// From which directions a microphone hears.
    public struct PolarPattern: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the value.
        public let rawValue: String

        /// Takes any name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// From all.
        public static let omnidirectional: AVAudioSession.PolarPattern = .init(rawValue: "Omnidirectional")
        /// Most from the front.
        public static let cardioid: AVAudioSession.PolarPattern = .init(rawValue: "Cardioid")
        /// More from the front.
        public static let subcardioid: AVAudioSession.PolarPattern = .init(rawValue: "Subcardioid")
        /// Left and right apart.
        public static let stereo: AVAudioSession.PolarPattern = .init(rawValue: "Stereo")
    }
}
