// SPDX-License-Identifier: MIT

public import OffhookCore

extension CallCenter {
    /// What a call center needs to know; fixed for the app's life.
    public struct Configuration: Sendable {
        /// The signaling server: `wss://host/path`, or `ws://` for tests.
        public var serverURL: String
        /// Gives the session token for each connection.
        ///
        /// Called on the engine queue; returns at once, from memory or from a keychain item that can be read while the
        /// phone is locked (R79).
        public var sessionToken: @Sendable () throws -> String
        /// The device's stable id, 1 to 64 bytes.
        public var deviceID: String
        /// The app's bundle id; pushes go to `<bundle id>.voip`.
        public var bundleIdentifier: String
        /// Which of APNs' environments issues the push token (P42).
        public var pushEnvironment: PushEnvironment
        /// How calls look on the phone.
        public var provider = ProviderOptions()
        /// How calls are answered and how long things may take.
        public var policy = CallPolicy()

        /// Makes a configuration with default options and policy.
        public init(
            serverURL: String, sessionToken: @escaping @Sendable () throws -> String, deviceID: String,
            bundleIdentifier: String, pushEnvironment: PushEnvironment = .production
        ) {
            self.serverURL = serverURL
            self.sessionToken = sessionToken
            self.deviceID = deviceID
            self.bundleIdentifier = bundleIdentifier
            self.pushEnvironment = pushEnvironment
        }
    }

    /// Which of APNs' two environments issues a push token.
    public enum PushEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
        /// Builds from Xcode.
        case development
        /// TestFlight and the App Store.
        case production
    }

    /// How calls look on the phone (R16).
    public struct ProviderOptions: Hashable, Sendable {
        /// Whether calls can have video.
        public var supportsVideo = false
        /// Whether calls appear in Recents (R18).
        public var includesCallsInRecents = true
        /// The ring tone's file name in the app bundle; nil is the phone's own.
        public var ringtoneSound: String?
        /// The call screen's icon as PNG, a 40-point square template; nil is none.
        public var iconTemplateImage: [UInt8]?
        /// The kinds of handles that can be called.
        public var handleKinds: Set<Handle.Kind> = [.generic]
        /// What the call screen shows while it shows a push that cannot be read.
        public var unknownCaller = "Unknown"

        /// Makes the default options.
        public init() {}
    }
}
