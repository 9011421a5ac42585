// SPDX-License-Identifier: MIT

public import Foundation

/// Takes an activity that the user goes on with.
@preconcurrency @MainActor
public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Goes on with the activity.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

/// What an app's delegate, windows and view controllers inherit from; there are no events here.
@preconcurrency @MainActor
open class UIResponder: NSObject, UIUserActivityRestoring {
    /// The activity that the object stands for.
    open var userActivity: NSUserActivity?
    /// Who gets what this object does not take; nobody here.
    open var next: UIResponder? { nil }

    /// Makes an object.
    public override init() {
        super.init()
    }

    /// Goes on with an activity; does nothing unless overridden.
    open func restoreUserActivityState(_ userActivity: NSUserActivity) {}
}
