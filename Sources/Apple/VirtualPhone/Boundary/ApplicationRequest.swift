// SPDX-License-Identifier: MIT

public import Foundation

/// What an app process asks as an application: the UIKit, UserNotifications and Security stand-ins send these.
public enum ApplicationRequest: Hashable, Sendable, Codable {
    /// The process has an application object, which takes ``ApplicationEvent``s under this id.
    case attach(application: UUID)
    /// UIApplication's state; answered with ``AppReply/application(_:)``.
    case readState
    /// The delegate did not take the activity (P46).
    case activityNotTaken
    /// beginBackgroundTask: keeps the process from being suspended until its time is over (K11, R80).
    case beginBackgroundTask(task: Int, name: String?)
    /// endBackgroundTask.
    case endBackgroundTask(task: Int)
    /// UIDevice's properties; answered with ``AppReply/device(_:)``.
    case readDevice
    /// open(_:): asks for another app, such as Settings (R5); answered with done or failure.
    case openURL(String)
    /// isIdleTimerDisabled was set.
    case setIdleTimerDisabled(Bool)
    /// isProximityMonitoringEnabled was set.
    case setProximityMonitoring(Bool)
    /// registerForRemoteNotifications; answered by ``ApplicationEvent/remoteNotificationsRegistered(token:)``.
    case registerForRemoteNotifications
    /// A line of the app's log.
    case log(AppLogEntry)
    /// An interaction was donated (R125).
    case donate(DonationValue)
    /// The folder of an app group; answered with ``AppReply/path(_:)``, nil without the entitlement.
    case containerPath(group: String)
    /// Notifications of the app.
    case notifications(NotificationRequest)
    /// The keychain; answered with ``AppReply/keychain(status:items:)`` (R79).
    case keychain(KeychainRequest)
    /// A notification service extension's content handler was called (K12, R121).
    case deliverNotification(request: UUID, content: NotificationValue)
}

/// What the phone tells an app process as an application.
public enum ApplicationEvent: Hashable, Sendable, Codable {
    /// The app came to the foreground and takes taps.
    case didBecomeActive
    /// The app is about to lose the screen.
    case willResignActive
    /// The app left the screen.
    case didEnterBackground
    /// The app is about to get the screen.
    case willEnterForeground
    /// The time for background work is over: tasks must be ended at once (K11).
    case backgroundTimeExpired
    /// The user continues an activity in the app, such as a tap in Recents (R123, P46).
    case continueActivity(UserActivityValue)
    /// The phone was locked: protected files and keychain items cannot be read soon (R79).
    case protectedDataWillBecomeUnavailable
    /// The phone was unlocked: protected files and keychain items can be read (R78, R79).
    case protectedDataDidBecomeAvailable
    /// The process is about to end while it runs.
    case willTerminate
    /// The app has a token for ordinary notifications.
    case remoteNotificationsRegistered(token: Data)
    /// The app gets no token for ordinary notifications (R3).
    case remoteNotificationsFailed(PhoneError)
    /// A notification arrived while the app is on the screen: the app decides whether it is shown.
    case willPresentNotification(NotificationValue)
    /// The user tapped a notification, or one of its actions.
    case didReceiveNotificationResponse(NotificationValue, action: String)
    /// To a notification service extension: its time is over, and the notification is shown as it came (K12).
    case notificationTimeExpired
}

/// The application as the phone sees it.
public struct ApplicationValue: Hashable, Sendable, Codable {
    /// UIApplication.State's raw value: 0 active, 1 inactive, 2 background.
    public var state: Int
    /// Whether files and keychain items protected until unlock can be read (R78, R79).
    public var isProtectedDataAvailable: Bool
    /// Time left before the process is suspended; nil in the foreground or while a call goes on (K11).
    public var backgroundTimeRemaining: Duration?

    /// Describes an application.
    public init(state: Int, isProtectedDataAvailable: Bool, backgroundTimeRemaining: Duration?) {
        self.state = state
        self.isProtectedDataAvailable = isProtectedDataAvailable
        self.backgroundTimeRemaining = backgroundTimeRemaining
    }
}

/// An NSUserActivity with an INStartCallIntent (R123).
public struct UserActivityValue: Hashable, Sendable, Codable {
    /// The activity's type, such as `INStartCallIntent`.
    public var activityType: String
    /// Who is to be called.
    public var handle: HandleValue?
    /// The name shown where the user tapped.
    public var displayName: String?
    /// Whether a video call is asked for.
    public var isVideo: Bool

    /// Describes an activity.
    public init(activityType: String, handle: HandleValue?, displayName: String?, isVideo: Bool) {
        self.activityType = activityType
        self.handle = handle
        self.displayName = displayName
        self.isVideo = isVideo
    }
}
