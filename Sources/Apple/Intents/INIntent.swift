// SPDX-License-Identifier: MIT

public import Foundation

/// Something that the user wants an app to do.
open class INIntent: NSObject {
    /// Names this intent; nil until it was donated.
    open var identifier: String?
    /// A text for the user.
    open var intentDescription: String? { nil }
    /// What the user may say to Siri.
    open var suggestedInvocationPhrase: String?

    /// Makes an intent.
    public override init() {
        super.init()
    }
}

/// An app's answer to an intent.
open class INIntentResponse: NSObject {
    /// What the app goes on with, when it is opened.
    open var userActivity: NSUserActivity?

    /// Makes an answer.
    public override init() {
        super.init()
    }
}

/// The principal class of an intents extension; the phone runs no such extension.
open class INExtension: NSObject {
    /// The object that handles an intent; itself unless overridden.
    open func handler(for intent: INIntent) -> Any? {
        self
    }
}
