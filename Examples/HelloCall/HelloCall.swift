// SPDX-License-Identifier: MIT

public import Offhook

/// The smallest app that calls and is called: everything it needs to keep is one ``CallCenter``.
///
/// It is made in `application(_:didFinishLaunchingWithOptions:)`, before the callback returns: a VoIP push that launched
/// the app comes right after (R8, R54).
public final class HelloCall: Sendable {
    /// The app's calls.
    public let calls: CallCenter

    /// Makes the calls and starts them.
    ///
    /// - Parameters:
    ///   - settings: Who this device is, and where the server is.
    ///   - media: Carries the voice.
    ///   - transport: Carries the signaling.
    ///   - clock: Tells the time; a test brings its own.
    public init(
        _ settings: HelloCallSettings, media: any MediaEngine, transport: any SignalTransport,
        clock: any EngineClock = SystemClock()
    ) {
        var configuration = CallCenter.Configuration(
            serverURL: settings.serverURL, sessionToken: { settings.token }, deviceID: settings.deviceID,
            bundleIdentifier: settings.bundleIdentifier, pushEnvironment: settings.pushEnvironment)
        configuration.provider.includesCallsInRecents = true
        calls = CallCenter(configuration: configuration, media: media, transport: transport, clock: clock)
        calls.start()
    }
}
