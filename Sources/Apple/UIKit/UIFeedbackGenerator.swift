// SPDX-License-Identifier: MIT

public import Foundation

// Names only: so that an app's call code compiles. The phone gives no taps that can be felt.

/// What gives the user a tap that can be felt; nothing is felt.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    /// Makes one.
    public override nonisolated init() { super.init() }
    /// Does nothing.
    open func prepare() {}
}

/// A tap like two things that touch.
@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// How heavy the things are.
    public enum FeedbackStyle: Int, Sendable {
        /// Light.
        case light = 0
        /// Of medium weight.
        case medium = 1
        /// Heavy.
        case heavy = 2
        /// Soft.
        case soft = 3
        /// Hard.
        case rigid = 4
    }

    /// Makes one for a style.
    public convenience init(style: UIImpactFeedbackGenerator.FeedbackStyle) {
        self.init()
    }
    /// Does nothing.
    open func impactOccurred() {}
    /// Does nothing.
    open func impactOccurred(intensity: CGFloat) {}
}

/// The tap of a choice that changes.
@preconcurrency @MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Does nothing.
    open func selectionChanged() {}
}

/// The taps of success and failure.
@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// What happened.
    public enum FeedbackType: Int, Sendable {
        /// It went well.
        case success = 0
        /// It may not go well.
        case warning = 1
        /// It did not go well.
        case error = 2
    }

    /// Does nothing.
    open func notificationOccurred(_ notificationType: UINotificationFeedbackGenerator.FeedbackType) {}
}
