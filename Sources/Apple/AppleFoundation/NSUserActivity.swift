// SPDX-License-Identifier: MIT

public import Foundation

/// Something that the user did and may go on with, such as a call to somebody in Recents (R123).
///
/// Linux's Foundation has no such class. With `import Intents` an activity has an `interaction`.
open class NSUserActivity: NSObject {
    /// Says what kind of activity it is, such as `INStartCallIntent`.
    public let activityType: String
    /// The name shown to the user.
    open var title: String?
    /// What the app needs to go on with it.
    open var userInfo: [AnyHashable: Any]?
    /// The keys of ``userInfo`` that are needed.
    open var requiredUserInfoKeys: Set<String>?
    /// The page that stands for it.
    open var webpageURL: URL?
    /// Whether other devices may go on with it.
    open var isEligibleForHandoff = true
    /// Whether it can be searched for.
    open var isEligibleForSearch = false
    /// Whether it may be suggested.
    open var isEligibleForPrediction = false
    /// Names it for deletion.
    open var persistentIdentifier: String?
    /// What Intents keeps here.
    package var attachment: AnyObject?

    /// Makes an activity.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }

    /// Adds to ``userInfo``.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
    }

    /// Says that the user does this now; the phone makes nothing of it.
    open func becomeCurrent() {}
    /// Says that the user does it no more.
    open func resignCurrent() {}
    /// Ends it.
    open func invalidate() {}
}

/// The activity of a page on the web.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
