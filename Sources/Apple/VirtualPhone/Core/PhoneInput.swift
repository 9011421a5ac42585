// SPDX-License-Identifier: MIT

public import Foundation

/// Everything that can happen to the phone.
public enum PhoneInput: Hashable, Sendable, Codable {
    /// An app was installed, or installed again (K9).
    case installed(InstalledApp)
    /// An app was removed.
    case uninstalled(String)
    /// The user tapped an app's icon.
    case opened(String)
    /// The user left the app on the screen.
    case wentHome
    /// The user closed an app in the app switcher.
    case closed(String)
    /// Fault: an app's process ended by itself.
    case crashed(String)
    /// The app's main function has returned.
    case launchFinished(process: UUID)
    /// The handler of a delivery returned; `handled` is false when nothing received the event.
    case deliveryFinished(delivery: UInt64, handled: Bool)
    /// A process asked something.
    case request(AppRequest, process: UUID)
    /// APNs handed over a push. `sentAt` is when the server sent it; nil means now (K8).
    case pushArrived(token: Data, payload: Data, sentAt: Date?)
    /// APNs told the phone that an app's token is dead (K2).
    case tokenInvalidated(String)
    /// The user did something with calls.
    case user(UserAction)
    /// The phone was locked.
    case locked
    /// The phone was unlocked.
    case unlocked
    /// Do Not Disturb was switched; `exceptions` may call all the same (I4).
    case doNotDisturb(on: Bool, exceptions: Set<HandleValue>)
    /// The block list changed (I4).
    case blocked(Set<HandleValue>)
    /// The user's contacts changed: names by address (I7).
    case contacts([HandleValue: String])
    /// Fault: the next report answers this error of the incoming call domain (I2).
    case failNextReport(code: Int)
    /// Fault: the call daemon restarted (P2).
    case daemonRestarted
    /// Somebody outside the phone adds a line to the timeline.
    case recorded(Timeline.Entry)
    /// Time passed.
    case tick
}

/// What the user does with calls.
public enum UserAction: Hashable, Sendable, Codable {
    /// Taps a choice of an incoming card; nil is the card on top.
    case choose(AnswerChoice, call: UUID?)
    /// Taps the red button of a call that goes on; nil is the active one.
    case hangUp(call: UUID?)
    /// Taps the microphone button.
    case setMuted(Bool, call: UUID?)
    /// Taps the hold button.
    case setHeld(Bool, call: UUID?)
    /// Taps a digit on the keypad (G7).
    case playTone(String, call: UUID?)
    /// Presses a volume button while the phone rings.
    case silence
}

/// An installed app as a value.
public struct InstalledApp: Hashable, Sendable, Codable {
    /// Names the app.
    public var bundleIdentifier: String
    /// The name on the call screen.
    public var displayName: String
    /// What the app may do in the background.
    public var backgroundModes: Set<App.BackgroundMode>
    /// Which APNs its tokens are for.
    public var apsEnvironment: App.APNsEnvironment?

    /// Describes an app.
    public init(
        bundleIdentifier: String, displayName: String, backgroundModes: Set<App.BackgroundMode>,
        apsEnvironment: App.APNsEnvironment?
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.displayName = displayName
        self.backgroundModes = backgroundModes
        self.apsEnvironment = apsEnvironment
    }
}

/// What the phone's shell has to do, in this order.
public enum PhoneEffect: Hashable, Sendable, Codable {
    /// Start a process: run the app's main function, then send `launchFinished`.
    case launch(process: UUID, bundle: String, reason: LaunchReason)
    /// Deliver an event to the object it names, then send `deliveryFinished`.
    case deliver(delivery: UInt64, process: UUID, event: PhoneEvent)
    /// End a process.
    case terminate(process: UUID)
    /// Show a new line of the timeline to those who watch.
    case record(Timeline.Entry)
}

/// What handling an input gave.
public struct PhoneOutcome: Hashable, Sendable {
    /// What to do, in order.
    public var effects: [PhoneEffect] = []
    /// The answer to a request.
    public var reply: AppReply?
    /// What became of a push.
    public var receipt: PushReceipt?
    /// Why the user could not do it.
    public var userError: PhoneUserError?
}
