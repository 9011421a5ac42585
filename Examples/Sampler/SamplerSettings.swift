// SPDX-License-Identifier: MIT

import Foundation

/// What the sample app must be told before it can work: where the server is, and who its user is.
public struct SamplerSettings: Hashable, Sendable {
    /// The server, `https://host`.
    public var server: String
    /// The session token; `offhook serve --dev-token NAME` prints one.
    public var token: String
    /// The device's stable id.
    public var deviceID: String
    /// The app's bundle id.
    public var bundleIdentifier: String

    /// Makes settings; empty ones are allowed, and are asked for when the app starts (R10).
    public init(server: String = "", token: String = "", deviceID: String = "device", bundleIdentifier: String = "") {
        self.server = server
        self.token = token
        self.deviceID = deviceID
        self.bundleIdentifier = bundleIdentifier
    }

    /// What is missing or wrong, for people; nil when all is there (R10).
    public var problem: String? {
        guard !server.isEmpty else {
            return "There is no server yet. Enter its address in the settings, such as https://calls.example.com."
        }
        guard let url = URL(string: server), let host = url.host, !host.isEmpty,
            url.scheme == "https" || url.scheme == "http"
        else { return "The server's address cannot be used. It looks like https://calls.example.com." }
        guard !token.isEmpty else {
            return "There is no session token yet. Sign in, or enter one that offhook serve --dev-token printed."
        }
        return nil
    }

    /// The signaling endpoint.
    var socketURL: String {
        let base = server.hasPrefix("http") ? "ws" + server.dropFirst(4) : server
        return base + "/v1/socket"
    }
}
