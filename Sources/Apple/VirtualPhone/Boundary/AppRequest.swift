// SPDX-License-Identifier: MIT

public import Foundation

/// Everything an app process can ask of the phone; the frameworks' only way to it.
///
/// Values alone, so that the same messages work in process and over a socket. The phone answers each one at once with
/// an ``AppReply``; what takes time comes back later as a ``PhoneEvent``.
public enum AppRequest: Hashable, Sendable, Codable {
    // CXProvider
    /// A provider was created (R15).
    case createProvider(provider: UUID, configuration: ProviderConfigurationValue)
    /// The provider's configuration was set again (S3).
    case configureProvider(provider: UUID, configuration: ProviderConfigurationValue)
    /// A delegate was set or cleared; the first one makes the phone send `providerDidBegin` (P1).
    case setProviderDelegate(provider: UUID, present: Bool)
    /// The provider was invalidated (P3).
    case invalidateProvider(provider: UUID)
    /// The provider was deallocated without being invalidated, which ends its calls as well (P3).
    case releaseProvider(provider: UUID)
    /// The delegate, which the provider holds weakly, is gone; an event found nobody (P1).
    case providerDelegateReleased(provider: UUID)
    /// The delegate has only the default of an optional method that was just called; `consequence` says what is lost
    /// by that (T11).
    case delegateMethodMissing(provider: UUID, method: String, consequence: String)
    /// reportNewIncomingCall; answered by ``PhoneEvent/reportCompleted(report:error:)`` (I1).
    case reportNewIncomingCall(provider: UUID, call: UUID, update: CallUpdateValue, report: UUID)
    /// reportCall(with:updated:) (I7).
    case reportCallUpdated(provider: UUID, call: UUID, update: CallUpdateValue)
    /// reportCall(with:endedAt:reason:) (E2); `reason` is CXCallEndedReason's raw value.
    case reportCallEnded(provider: UUID, call: UUID, date: Date?, reason: Int)
    /// reportOutgoingCall(with:startedConnectingAt:) (O2).
    case reportOutgoingCallStartedConnecting(provider: UUID, call: UUID, date: Date?)
    /// reportOutgoingCall(with:connectedAt:) (O2).
    case reportOutgoingCallConnected(provider: UUID, call: UUID, date: Date?)
    /// The delegate's answer to ``PhoneEvent/executeTransaction(provider:transaction:)`` (T9).
    case transactionExecuted(transaction: UUID, handled: Bool)
    /// fulfill() of an action (T7), with the date of the variants that carry one.
    case actionFulfilled(action: UUID, date: Date?)
    /// fail() of an action (T7).
    case actionFailed(action: UUID)
    /// The delegate has only the default method for this action (T11): the action is failed, with a warning.
    case actionNotImplemented(action: UUID, method: String)

    // CXCallController, CXCallObserver
    /// request(_:completion:); answered by ``PhoneEvent/requestCompleted(request:error:)`` (O1, T2).
    case requestTransaction(request: UUID, transaction: TransactionValue)
    /// An observer wants ``PhoneEvent/callChanged(observer:call:)``; answered with ``AppReply/calls(_:)`` (C1).
    case observeCalls(observer: UUID)
    /// The observer is gone.
    case stopObservingCalls(observer: UUID)
    /// The calls of the whole device; answered with ``AppReply/calls(_:)`` (C1).
    case listCalls

    // PushKit
    /// A push registry was made (K1, R132); it registers for nothing yet.
    case createPushRegistry(registry: UUID)
    /// desiredPushTypes was set (K1); raw values of PKPushType.
    case setDesiredPushTypes(registry: UUID, types: [String])
    /// The registry is gone, or has no delegate any more.
    case releasePushRegistry(registry: UUID)
    /// The cached token; answered with ``AppReply/token(_:)`` (K1).
    case pushToken(registry: UUID, type: String)
    /// The delegate method of a push returned: check 1 (K3).
    case pushHandlerReturned(push: UUID)
    /// The delegate called the push's completion handler (K5, R57).
    case pushCompleted(push: UUID)
    /// The delegate implements no method that could take the push.
    case pushNotHandled(push: UUID)
    /// The push token came while the registry had no delegate (K1).
    case pushCredentialsNotHandled(registry: UUID)
    /// reportNewIncomingVoIPPushPayload of a notification service extension; answered by
    /// ``PhoneEvent/reportCompleted(report:error:)`` (K12). The payload is a JSON object, or a property list when it
    /// holds what JSON cannot.
    case reportVoIPPushPayload(payload: Data, report: UUID)

    // AVAudioSession
    /// setCategory(_:mode:options:) (V2); raw values.
    case setAudioCategory(category: String, mode: String, options: UInt)
    /// setActive(_:options:) by the app itself (S1, S4, V1); answered with done or failure.
    case setAudioActive(active: Bool, options: UInt)
    /// overrideOutputAudioPort (V3); raw value.
    case overrideOutputPort(port: UInt)
    /// The session as the phone sees it; answered with ``AppReply/audioSession(_:)``.
    case readAudioSession
    /// The app started or stopped audio input or output; outside the window the phone refuses (R70).
    case setAudioRunning(running: Bool)
    /// Whatever else concerns the audio session.
    case audioSession(AudioSessionRequest)

    // The app as a whole
    /// The application: its state, background tasks, notifications, keychain.
    case application(ApplicationRequest)
    /// Caller identification and blocking.
    case directory(DirectoryRequest)
    /// The phone's own line and Recents.
    case telephony(TelephonyRequest)
}

/// The phone's immediate answer to an ``AppRequest``.
public enum AppReply: Hashable, Sendable, Codable {
    /// Taken.
    case done
    /// Refused, with the error the framework throws.
    case failure(PhoneError)
    /// The calls of the device.
    case calls([CallValue])
    /// The cached push token.
    case token(Data?)
    /// The audio session's state.
    case audioSession(AudioSessionValue)
    /// The application's state.
    case application(ApplicationValue)
    /// The device's properties.
    case device(DeviceValue)
    /// A folder's path; nil when there is none.
    case path(String?)
    /// The app's notifications.
    case notifications(NotificationReply)
    /// A keychain's answer: an OSStatus, and the items found.
    case keychain(status: Int32, items: [KeychainItemValue])
    /// Whether the Call Directory asks for changes alone (D1).
    case isIncremental(Bool)
    /// The phone's lines or Recents.
    case telephony(TelephonyReply)
    /// The process is dead; nothing was done.
    case processTerminated
}
