// SPDX-License-Identifier: MIT

public import Foundation

/// What became of an ordinary notification that APNs handed to the phone.
public enum NotificationReceipt: Hashable, Sendable, Codable {
    /// The app's notification service extension has it (K12).
    case handedToExtension(request: UUID)
    /// The phone has it: it is shown if the user allows notifications, or the app on the screen decides.
    case presented(identifier: String)
    /// It has nothing to show.
    case nothingToShow
    /// The phone cannot be reached, or the app is not installed.
    case notDelivered
    /// APNs would not take its payload.
    case refused(PushRefusal)
}
