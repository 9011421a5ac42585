// SPDX-License-Identifier: MIT

public import Offhook

/// Who this device is, and where the server is.
public struct HelloCallSettings: Hashable, Sendable {
    /// The signaling server, `wss://host/v1/socket`.
    public var serverURL: String
    /// The session token of the user who signed in.
    public var token: String
    /// The device's stable id, 1 to 64 bytes.
    public var deviceID: String
    /// The app's bundle id.
    public var bundleIdentifier: String
    /// Which of APNs' environments issues the push token: development for builds from Xcode.
    public var pushEnvironment: CallCenter.PushEnvironment

    /// Makes settings.
    public init(
        serverURL: String, token: String, deviceID: String, bundleIdentifier: String,
        pushEnvironment: CallCenter.PushEnvironment = .production
    ) {
        self.serverURL = serverURL
        self.token = token
        self.deviceID = deviceID
        self.bundleIdentifier = bundleIdentifier
        self.pushEnvironment = pushEnvironment
    }
}
