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
    /// The app's main function has returned.
    case launchFinished(process: UUID)
    /// The handler of a delivery returned; `handled` is false when nothing received the event.
    case deliveryFinished(delivery: UInt64, handled: Bool)
    /// A process asked something.
    case request(AppRequest, process: UUID)
    /// APNs handed over a push. `sentAt` is when the server sent it; nil means now (K8). `expiration` is when APNs
    /// throws it away while the phone cannot be reached; nil means never (K10).
    case pushArrived(token: Data, payload: Data, sentAt: Date?, expiration: Date? = nil)
    /// APNs handed over an ordinary notification for an app (K12).
    case notificationArrived(bundle: String, payload: Data)
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
    /// The user's contacts changed: people with all their addresses and photos (R24).
    case contactBook([Contact])
    /// A fault was switched.
    case fault(PhoneFault)
    /// Something happened to the device.
    case device(DeviceInput)
    /// Something happened to the phone's sound.
    case audio(AudioInput)
    /// Something happened to a call that belongs to no installed app.
    case otherCall(OtherCallInput)
    /// Something happened to caller identification.
    case directory(DirectoryInput)
    /// Something happened to notifications.
    case notification(NotificationInput)
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
    /// Taps digits on the keypad, or sends what a contact's number has after a pause (G7).
    case playTone(String, call: UUID?)
    /// Presses a volume button while the phone rings.
    case silence
    /// Swaps the active call and the one on hold (G4).
    case swap
    /// Taps Merge: the held call joins the active one (P41, G5).
    case merge
    /// Taps Private at one call of a conference (G5).
    case separate(call: UUID)
    /// Starts or stops the translation of a call (G8).
    case setTranslating(Bool, localLanguage: String, remoteLanguage: String, call: UUID?)
    /// Taps a line of Recents (R123, P46); nil is the newest.
    case tapRecent(call: UUID?)
    /// Asks for a call somewhere outside of the calling app (R123).
    case requestCall(CallRequestSource, handle: HandleValue, isVideo: Bool, app: String)
    /// What the person does with calls from now on, without being told again; nil leaves it to the other taps.
    case intend(UserIntention?)
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
    /// When its files can be read (R78).
    public var dataProtection: DataProtection = .untilFirstUnlock
    /// The app groups whose folders the app may use.
    public var appGroups: Set<String> = []
    /// The text of the question for the microphone; nil when the Info.plist has none (V9).
    public var microphoneUsageDescription: String? = "Calls need the microphone."
    /// Whether it has a notification service extension (K12).
    public var hasNotificationExtension = false
    /// Whether that extension has `com.apple.developer.usernotifications.filtering` (K12).
    public var hasFilteringEntitlement = false
    /// Whether it has `com.apple.developer.pushkit.unrestricted-voip` (K13).
    public var hasUnrestrictedVoIPEntitlement = false
    /// The SDK it was built with.
    public var sdk = SystemVersion(26)
    /// The identifiers of its Call Directory extensions (D1).
    public var callDirectoryExtensions: [String] = []

    /// Describes an app.
    public init(
        bundleIdentifier: String, displayName: String, backgroundModes: Set<App.BackgroundMode>,
        apsEnvironment: App.APNsEnvironment?, appGroups: Set<String> = []
    ) {
        self.bundleIdentifier = bundleIdentifier
        self.displayName = displayName
        self.backgroundModes = backgroundModes
        self.apsEnvironment = apsEnvironment
        self.appGroups = appGroups
    }

    /// Takes what is a value of an app.
    public init(_ app: App) {
        self.init(
            bundleIdentifier: app.bundleIdentifier, displayName: app.displayName, backgroundModes: app.backgroundModes,
            apsEnvironment: app.apsEnvironment)
        dataProtection = app.dataProtection
        appGroups = app.appGroups
        microphoneUsageDescription = app.microphoneUsageDescription
        hasNotificationExtension = app.notificationExtension != nil
        hasFilteringEntitlement = app.notificationExtension?.hasFilteringEntitlement == true
        hasUnrestrictedVoIPEntitlement = app.hasUnrestrictedVoIPEntitlement
        sdk = app.sdk
        callDirectoryExtensions = app.callDirectoryExtensions.map(\.bundleIdentifier)
    }
}

/// What the phone's shell has to do, in this order.
public enum PhoneEffect: Hashable, Sendable, Codable {
    /// Start a process: run the app's main function, then send `launchFinished`.
    case launch(process: UUID, bundle: String, reason: LaunchReason)
    /// Deliver an event to the object it names, then send `deliveryFinished`.
    case deliver(delivery: UInt64, process: UUID, event: PhoneEvent)
    /// Start the process of an app's notification service extension with a request, then send `launchFinished`.
    case launchExtension(process: UUID, bundle: String, request: UUID, content: NotificationValue)
    /// Do something to the directories that are the apps' containers.
    case storage(StorageEffect)
    /// Start a Call Directory extension, then send `extensionLaunched`.
    case launchDirectory(process: UUID, extensionIdentifier: String)
    /// Keep an extension's entries over a restart of the phone, or forget them when the phone has.
    case storeDirectory(extensionIdentifier: String)
    /// Keep which extensions there are, and which are switched on, over a restart of the phone.
    case storeDirectorySwitches
    /// End a process.
    case terminate(process: UUID)
    /// Show a new line of the timeline to those who watch.
    case record(Timeline.Entry)
}

/// What happens to the directories of the apps' containers.
public enum StorageEffect: Hashable, Sendable, Codable {
    /// An app was removed or installed again: its container is gone.
    case erase(bundle: String)
    /// The phone was locked, unlocked or started again: whose files cannot be read from now on (R78).
    case protect(containers: Set<String>, groups: Bool)
}

/// What handling an input gave.
public struct PhoneOutcome: Hashable, Sendable {
    /// What to do, in order.
    public var effects: [PhoneEffect] = []
    /// The answer to a request.
    public var reply: AppReply?
    /// What became of a push.
    public var receipt: PushReceipt?
    /// What became of a notification.
    public var notification: NotificationReceipt?
    /// Why the user could not do it.
    public var userError: PhoneUserError?
}
