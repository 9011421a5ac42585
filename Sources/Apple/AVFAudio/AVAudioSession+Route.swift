// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// Where sound goes instead of where the category sends it (V3).
    public enum PortOverride: UInt, Sendable {
        /// To where the category sends it.
        case none = 0
        /// To the speaker.
        case speaker = 1936747378
    }
}

extension AVAudioSession {
    /// Why the route changed (V8).
    public enum RouteChangeReason: UInt, Sendable {
        /// For a reason not known.
        case unknown = 0
        /// A device was connected.
        case newDeviceAvailable = 1
        /// A device was disconnected.
        case oldDeviceUnavailable = 2
        /// The category changed.
        case categoryChange = 3
        /// The output was overridden.
        case override = 4
        /// The phone woke up.
        case wakeFromSleep = 6
        /// The category has no route.
        case noSuitableRouteForCategory = 7
        /// The ports are the same, their setup is not.
        case routeConfigurationChange = 8
    }
}

extension AVAudioSession {
    /// Whose route the app uses.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// The phone's.
        case `default` = 0
        /// The one for music and audiobooks.
        case longFormAudio = 1
        /// One of its own, set by the phone.
        case independent = 2
        /// The one for films.
        case longFormVideo = 3

        /// The older name of ``longFormAudio``.
        public static var longForm: AVAudioSession.RouteSharingPolicy { .longFormAudio }
    }
}

extension AVAudioSession {
    /// Whether input and output share a clock.
    public enum IOType: UInt, Sendable {
        /// As the phone decides.
        case notSpecified = 0
        /// They do.
        case aggregated = 1
    }
}

extension AVAudioSession {
    /// How the phone is held while it records in stereo.
    public enum StereoOrientation: Int, Sendable {
        /// Not recording in stereo.
        case none = 0
        /// Upright.
        case portrait = 1
        /// Upside down.
        case portraitUpsideDown = 2
        /// On its side, connector on the right.
        case landscapeRight = 3
        /// On its side, connector on the left.
        case landscapeLeft = 4
    }
}
