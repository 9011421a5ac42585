// SPDX-License-Identifier: MIT

public import Offhook

/// The sample app's calls, made at launch: an incoming call rings whether the screen was ever shown or not (R8, R54).
public final class Sampler: Sendable {
    /// The app's calls.
    public let calls: CallCenter

    /// Makes the calls and starts them; nil when the settings are missing, which ``SamplerModel/start()`` tells the user.
    public init?(
        _ settings: SamplerSettings, media: any MediaEngine, transport: any SignalTransport,
        clock: any EngineClock = SystemClock()
    ) {
        guard settings.problem == nil else { return nil }
        calls = CallCenter(
            configuration: CallCenter.Configuration(
                serverURL: settings.socketURL, sessionToken: { settings.token }, deviceID: settings.deviceID,
                bundleIdentifier: settings.bundleIdentifier, pushEnvironment: .development),
            media: media, transport: transport, clock: clock)
        calls.start()
    }
}
