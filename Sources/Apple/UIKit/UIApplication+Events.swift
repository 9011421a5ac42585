// SPDX-License-Identifier: MIT

import Foundation
import Intents
import VirtualPhone

extension UIApplication {
    /// What the phone tells becomes the delegate's method, then a notification.
    func handle(_ event: ApplicationEvent) {
        switch event {
        case .didBecomeActive:
            delegate?.applicationDidBecomeActive(self)
            post(UIApplication.didBecomeActiveNotification)
        case .willResignActive:
            delegate?.applicationWillResignActive(self)
            post(UIApplication.willResignActiveNotification)
        case .didEnterBackground:
            delegate?.applicationDidEnterBackground(self)
            post(UIApplication.didEnterBackgroundNotification)
        case .willEnterForeground:
            delegate?.applicationWillEnterForeground(self)
            post(UIApplication.willEnterForegroundNotification)
        case .backgroundTimeExpired: core.expire()
        case .continueActivity(let value): continueActivity(NSUserActivity(value))
        case .protectedDataWillBecomeUnavailable:
            delegate?.applicationProtectedDataWillBecomeUnavailable(self)
            post(UIApplication.protectedDataWillBecomeUnavailableNotification)
        case .protectedDataDidBecomeAvailable:
            delegate?.applicationProtectedDataDidBecomeAvailable(self)
            post(UIApplication.protectedDataDidBecomeAvailableNotification)
        case .willTerminate:
            delegate?.applicationWillTerminate(self)
            post(UIApplication.willTerminateNotification)
        case .remoteNotificationsRegistered(let token):
            delegate?.application(self, didRegisterForRemoteNotificationsWithDeviceToken: token)
        case .remoteNotificationsFailed(let error):
            delegate?.application(
                self, didFailToRegisterForRemoteNotificationsWithError: NSError(domain: error.domain, code: error.code))
        // For other objects of the process, such as its notification center.
        default: break
        }
    }

    /// R123: willContinue, then continue; what the delegate hands to the restoration handler gets the activity.
    private func continueActivity(_ activity: NSUserActivity) {
        guard let delegate else { return core.send(.activityNotTaken) }
        _ = delegate.application(self, willContinueUserActivityWithType: activity.activityType)
        let isTaken = delegate.application(self, continue: activity) { restoring in
            for object in restoring ?? [] { object.restoreUserActivityState(activity) }
        }
        if !isTaken { core.send(.activityNotTaken) }
    }

    private func post(_ name: NSNotification.Name) {
        NotificationCenter.default.post(name: name, object: self)
    }

    /// Launches the app's code: the delegate hears of it as on iOS.
    func launch(_ delegate: any UIApplicationDelegate) {
        self.delegate = delegate
        _ = delegate.application(self, willFinishLaunchingWithOptions: nil)
        _ = delegate.application(self, didFinishLaunchingWithOptions: nil)
        post(UIApplication.didFinishLaunchingNotification)
    }
}
