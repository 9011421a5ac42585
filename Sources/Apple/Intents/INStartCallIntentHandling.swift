// SPDX-License-Identifier: MIT

public import Foundation

/// How an app took an ``INStartCallIntent``.
public enum INStartCallIntentResponseCode: Int, Sendable {
    /// Not said.
    case unspecified = 0
    /// It can be handled.
    case ready = 1
    /// The app is to be opened.
    case continueInApp = 2
    /// The user is to be asked.
    case userConfirmationRequired = 3
    /// It failed.
    case failure = 4
    /// The app has to be opened first.
    case failureRequiringAppLaunch = 5
    /// The service cannot be reached.
    case failureCallingServiceNotAvailable = 6
    /// The app cannot call this contact.
    case failureContactNotSupportedByApp = 7
    /// Airplane mode is on.
    case failureAirplaneModeEnabled = 8
    /// The call cannot be handed over.
    case failureUnableToHandOff = 9
    /// The app is not set up.
    case failureAppConfigurationRequired = 10
    /// A call goes on.
    case failureCallInProgress = 11
    /// A call rings.
    case failureCallRinging = 12
}

/// An app's answer to an ``INStartCallIntent``.
open class INStartCallIntentResponse: INIntentResponse {
    /// How it was taken.
    public let code: INStartCallIntentResponseCode

    /// Makes an answer.
    public init(code: INStartCallIntentResponseCode, userActivity: NSUserActivity?) {
        self.code = code
        super.init()
        self.userActivity = userActivity
    }
}

/// What became of one part of an intent.
open class INIntentResolutionResult: NSObject {
    /// Made by the class's functions.
    public required override init() {
        super.init()
    }

    /// The part has to be given.
    open class func needsValue() -> Self {
        Self()
    }

    /// The part is not needed.
    open class func notRequired() -> Self {
        Self()
    }

    /// The part cannot be used.
    open class func unsupported() -> Self {
        Self()
    }
}

/// What became of an intent's contacts.
open class INStartCallContactResolutionResult: INIntentResolutionResult {
    /// The contact is found.
    open class func success(with resolvedPerson: INPerson) -> Self {
        Self()
    }

    /// The user has to choose.
    open class func disambiguation(with peopleToDisambiguate: [INPerson]) -> Self {
        Self()
    }
}

/// Handles ``INStartCallIntent`` in an intents extension; the phone runs none, tests may call it.
public protocol INStartCallIntentHandling: NSObjectProtocol {
    /// Handles the intent.
    func handle(intent: INStartCallIntent, completion: @escaping @Sendable (INStartCallIntentResponse) -> Void)
    /// Says whether the intent can be handled.
    func confirm(intent: INStartCallIntent, completion: @escaping @Sendable (INStartCallIntentResponse) -> Void)
    /// Finds the contacts that are meant.
    func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping @Sendable ([INStartCallContactResolutionResult]) -> Void)
}

extension INStartCallIntentHandling {
    /// Says that it can be handled.
    public func confirm(
        intent: INStartCallIntent, completion: @escaping @Sendable (INStartCallIntentResponse) -> Void
    ) {
        completion(INStartCallIntentResponse(code: .ready, userActivity: nil))
    }

    /// Takes the contacts as they are.
    public func resolveContacts(
        for intent: INStartCallIntent,
        with completion: @escaping @Sendable ([INStartCallContactResolutionResult]) -> Void
    ) {
        completion((intent.contacts ?? []).map { .success(with: $0) })
    }
}
