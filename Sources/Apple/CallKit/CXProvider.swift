// SPDX-License-Identifier: MIT

public import Dispatch
public import Foundation
import VirtualPhone

/// The app's side of its calls: reports them to the phone, and performs actions through its delegate.
///
/// An app makes one provider and keeps it. Methods may be called on any thread.
open class CXProvider: NSObject {
    private let core: ProviderCore

    /// Makes a provider and registers it with the phone; `providerDidBegin` follows once there is a delegate.
    ///
    /// - Precondition: A phone runs the app.
    public init(configuration: CXProviderConfiguration) {
        core = ProviderCore(process: .required(for: "CXProvider"), configuration: configuration.duplicate())
        super.init()
        core.begin(self)
    }

    deinit {
        core.end(isReleased: true)
    }

    /// Sets the delegate, which is not retained, and its queue; nil means the main queue (P1).
    open func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        core.setDelegate(delegate, queue: queue)
    }

    /// What the provider can do; copied when set and when read (G1).
    open var configuration: CXProviderConfiguration {
        get { core.state.withLock { $0.configuration }.duplicate() }
        set { core.configure(newValue.duplicate()) }
    }

    /// Ends the provider: its calls end as failed, and its delegate hears nothing more (P3).
    open func invalidate() {
        core.end()
    }

    // MARK: - Reports

    /// Reports an incoming call, for the phone to ring.
    ///
    /// The completion is called with nil when the call is shown, else with a ``CXErrorCodeIncomingCallError``;
    /// then nothing is shown and the app drops the call (I1). Runs on the delegate's queue; while there is no
    /// delegate, on a serial queue of the provider's own (R26).
    open func reportNewIncomingCall(
        with UUID: UUID, update: CXCallUpdate, completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let core = core
        core.process.request(on: core.queue, completion: completion) { report in
            core.report(UUID, update.boundaryValue, report)
        }
    }

    /// Reports an incoming call; returns when the call is shown.
    ///
    /// - Throws: ``CXErrorCodeIncomingCallError`` when the phone shows nothing; the app drops the call (I1).
    nonisolated(nonsending) open func reportNewIncomingCall(with UUID: UUID, update: CXCallUpdate) async throws {
        let core = core
        try await core.process.request(on: core.queue) { report in
            core.report(UUID, update.boundaryValue, report)
        }
    }

    /// Changes what the phone knows of a call; fields not set stay as they are (I7).
    open func reportCall(with UUID: UUID, updated update: CXCallUpdate) {
        core.process.send(.reportCallUpdated(provider: core.id, call: UUID, update: update.boundaryValue))
    }

    /// Ends a call that neither the user nor the app's own request ended; nil means now (E2).
    open func reportCall(with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason) {
        core.process.send(
            .reportCallEnded(provider: core.id, call: UUID, date: dateEnded, reason: endedReason.rawValue))
    }

    /// Tells that an outgoing call began to connect; nil means now (O2).
    open func reportOutgoingCall(with UUID: UUID, startedConnectingAt dateStartedConnecting: Date?) {
        core.process.send(
            .reportOutgoingCallStartedConnecting(provider: core.id, call: UUID, date: dateStartedConnecting))
    }

    /// Tells that an outgoing call was answered; nil means now (O2).
    open func reportOutgoingCall(with UUID: UUID, connectedAt dateConnected: Date?) {
        core.process.send(.reportOutgoingCallConnected(provider: core.id, call: UUID, date: dateConnected))
    }

    // MARK: - Pending actions

    /// The transactions that the delegate has not completed (T10).
    open var pendingTransactions: [CXTransaction] { core.pendingTransactions }

    /// The actions of a class and a call that the delegate has not completed (T10).
    open func pendingCallActions(of callActionClass: AnyClass, withCall callUUID: UUID) -> [CXCallAction] {
        core.pendingTransactions.flatMap(\.actions).compactMap { action in
            guard let action = action as? CXCallAction, action.callUUID == callUUID, !action.isComplete,
                type(of: action) == callActionClass
            else { return nil }
            return action
        }
    }

    // MARK: - Notification service extensions

    /// Hands a VoIP push to the app from a notification service extension (K12).
    ///
    /// The phone then launches or wakes the app, whose push registry gets the payload, and which must report a call. The
    /// completion is called with nil, or with a ``CXErrorCodeNotificationServiceExtensionError``: the caller is no such
    /// extension (`invalidClientProcess`), or lacks `com.apple.developer.usernotifications.filtering`
    /// (`missingNotificationFilteringEntitlement`). What is neither JSON nor a property list is `unknown`.
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any], completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let completion = completion ?? { _ in }
        let queue = DispatchQueue(label: "CXProvider.reportNewIncomingVoIPPushPayload")
        guard let process = AppProcess.current else {
            queue.async { completion(CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess)) }
            return
        }
        guard let payload = PayloadCoding.data(of: dictionaryPayload) else {
            queue.async { completion(CXErrorCodeNotificationServiceExtensionError(.unknown)) }
            return
        }
        process.request(on: queue, completion: completion) { .reportVoIPPushPayload(payload: payload, report: $0) }
    }

    /// Hands a VoIP push to the app from a notification service extension (K12).
    ///
    /// - Throws: ``CXErrorCodeNotificationServiceExtensionError``, as the form with a completion has it.
    open class func reportNewIncomingVoIPPushPayload(_ dictionaryPayload: [AnyHashable: Any]) async throws {
        guard let process = AppProcess.current else {
            throw CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess)
        }
        guard let payload = PayloadCoding.data(of: dictionaryPayload) else {
            throw CXErrorCodeNotificationServiceExtensionError(.unknown)
        }
        try await process.request(on: DispatchQueue(label: "CXProvider.reportNewIncomingVoIPPushPayload")) {
            .reportVoIPPushPayload(payload: payload, report: $0)
        }
    }
}
