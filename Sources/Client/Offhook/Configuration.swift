// SPDX-License-Identifier: MIT

public import Foundation
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
        /// How calls are answered and how long things may take; how many calls there may be follows from ``provider``,
        /// and what they can do from the media engine.
        public var policy = CallPolicy()
        /// Whether calls use CallKit (R132).
        public var callKit = CallKitUse.automatic
        /// Tells the region of the user's settings.
        var region: @Sendable () -> String? = { CallKitUse.currentRegion }

        /// The folder for what must outlive the process; nil is none: then everything is kept in memory alone, and an
        /// operation, an answer or a decline that the process does not survive is lost.
        ///
        /// `Application Support/Offhook` unless set; on Linux nil, where an app has no folder of its own. The folder
        /// belongs to the call center alone. On an iPhone its files can be read from the first unlock on (R78).
        public var storage: URL? = Configuration.defaultStorage
        /// Takes the diagnostic log: what happened, without tokens, names, handles and payloads (R12); nil writes none.
        ///
        /// Called on the engine queue; returns at once.
        public var log: (@Sendable (LogEntry) -> Void)?

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

        private static var defaultStorage: URL? {
            #if canImport(Darwin)
                FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first?
                    .appendingPathComponent("Offhook", isDirectory: true)
            #else
                nil
            #endif
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
        /// How many calls and groups of calls may live at once; with 1 a second call is busy (R19, C9); 1 unless set.
        public var maximumCallGroups = 1
        /// How many calls one group may have; 1 unless set, which offers no merging (R49).
        public var maximumCallsPerCallGroup = 1
        /// Whether calls can have video; offered only when the media engine carries it too (R17).
        public var supportsVideo = false
        /// Whether the phone may translate what is said, from iOS 26 on (R118).
        public var supportsAudioTranslation = false
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
        /// What the local notification says below the caller's name, where CallKit is not used (R132).
        public var incomingCallText = "Incoming call"

        /// Makes the default options.
        public init() {}
    }
}
