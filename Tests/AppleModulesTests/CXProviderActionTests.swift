// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

@testable import CallKit

@Suite struct CXProviderActionTests {
    private let app = TestApp()
    private let call = UUID()
    private let queue = DispatchQueue(label: "delegate")

    /// A provider with a delegate, and its identifier; the phone's log is empty then.
    private func makeProvider(_ delegate: (any CXProviderDelegate)?) -> (CXProvider, UUID) {
        let provider = app.process.run { CXProvider(configuration: CXProviderConfiguration()) }
        let id = app.provider
        if let delegate { provider.setDelegate(delegate, queue: queue) }
        app.phone.forget()
        return (provider, id)
    }

    private func action(_ kind: ActionValue.Kind) -> ActionValue {
        ActionValue(call: call, kind: kind, timeoutDate: app.phone.now)
    }

    @Test("T9, T7: each action reaches its method and is completed once")
    func actionsArePerformed() async {
        let delegate = WholeDelegate()
        let (provider, id) = makeProvider(delegate)
        let actions = [
            action(.start(handle: HandleValue(type: 2, value: "123"), contactIdentifier: "ann", isVideo: true)),
            action(.answer), action(.end), action(.setHeld(true)), action(.setMuted(false)),
            action(.setGroup(with: nil)), action(.playDTMF(digits: "9", type: 1)),
            action(.setTranslating(true, localLanguage: "en", remoteLanguage: "fr")),
        ]
        let transaction = TransactionValue(actions: actions)
        await app.deliver(.providerDidBegin(provider: id))
        await app.deliver(.executeTransaction(provider: id, transaction: transaction))
        #expect(app.phone.requests == [.transactionExecuted(transaction: transaction.uuid, handled: false)])
        #expect(provider.pendingTransactions.map(\.uuid) == [transaction.uuid])
        #expect(provider.pendingCallActions(of: CXEndCallAction.self, withCall: call).count == 1)
        #expect(provider.pendingCallActions(of: CXEndCallAction.self, withCall: UUID()).isEmpty)
        app.phone.forget()
        for action in actions { await app.deliver(.performAction(provider: id, action: action)) }
        #expect(
            delegate.log == [
                "begin", "execute 8", "start 123 true ann", "answer", "end", "hold true", "mute false", "group leave",
                "tones 9 1", "translate en fr",
            ])
        func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        #expect(
            app.phone.requests == [
                .actionFulfilled(action: actions[0].uuid, date: date(1)),
                .actionFulfilled(action: actions[1].uuid, date: date(2)),
                .actionFulfilled(action: actions[2].uuid, date: date(3)),
                .actionFailed(action: actions[3].uuid),
                // The delegate completes the muting three times; the phone hears of it, to say so (R29).
                .actionFulfilled(action: actions[4].uuid, date: nil),
                .actionFulfilled(action: actions[4].uuid, date: nil),
                .actionFailed(action: actions[4].uuid),
                .actionFulfilled(action: actions[5].uuid, date: nil),
                .actionFulfilled(action: actions[6].uuid, date: nil),
                .actionFulfilled(action: actions[7].uuid, date: nil),
            ])
        #expect(provider.pendingTransactions.isEmpty)
    }

    @Test("T9: a delegate that executes a transaction completes its actions itself")
    func transactionsAreExecuted() async {
        let delegate = WholeDelegate(takesTransactions: true)
        let (provider, id) = makeProvider(delegate)
        let end = action(.end)
        let transaction = TransactionValue(actions: [end])
        await app.deliver(.executeTransaction(provider: id, transaction: transaction))
        #expect(
            app.phone.requests == [
                .actionFulfilled(action: end.uuid, date: nil),
                .transactionExecuted(transaction: transaction.uuid, handled: true),
            ])
        #expect(provider.pendingTransactions.isEmpty)
    }

    @Test("T11: an action without a method is told to the phone and is complete")
    func missingMethodsAreRecognised() async {
        let delegate = BareDelegate()
        let (provider, id) = makeProvider(delegate)
        let kinds: [ActionValue.Kind] = [
            .start(handle: HandleValue(type: 1, value: "a"), contactIdentifier: nil, isVideo: false), .answer,
            .setHeld(true), .setMuted(true), .setGroup(with: UUID()), .playDTMF(digits: "1", type: 1),
            .setTranslating(false, localLanguage: "en", remoteLanguage: "fr"), .other,
        ]
        for action in kinds.map(action) {
            await app.deliver(.performAction(provider: id, action: action))
            guard case .actionNotImplemented(action.uuid, let method) = app.phone.requests.last else {
                Issue.record("\(action.kind) was not recognised")
                continue
            }
            #expect(method.contains("provider(_:perform:)"))
        }
        #expect(provider.pendingTransactions.isEmpty)
    }

    @Test("T11: an implemented method that reaches another default still counts as implemented")
    func otherDefaultsDoNotCount() async {
        let delegate = BareDelegate()
        let (provider, id) = makeProvider(delegate)
        let end = action(.end)
        await app.deliver(.performAction(provider: id, action: end))
        #expect(app.phone.requests == [.actionFulfilled(action: end.uuid, date: nil)])
        withExtendedLifetime(provider) {}
    }

    @Test("T11: didActivate, didDeactivate and timedOutPerforming that are not there are told to the phone")
    func missingOptionalMethods() async {
        let delegate = BareDelegate()
        let (provider, id) = makeProvider(delegate)
        let answer = action(.answer)
        await app.deliver(.executeTransaction(provider: id, transaction: TransactionValue(actions: [answer])))
        app.phone.forget()
        await app.deliver(.audioSessionActivated(provider: id))
        await app.deliver(.audioSessionDeactivated(provider: id))
        await app.deliver(.actionTimedOut(provider: id, action: answer.uuid))
        let methods = app.phone.requests.compactMap { request -> String? in
            guard case .delegateMethodMissing(id, let method, _) = request else { return nil }
            return method
        }
        #expect(
            methods == [
                "provider(_:didActivate:)", "provider(_:didDeactivate:)", "provider(_:timedOutPerforming:)",
            ])
        withExtendedLifetime(provider) {}
    }

    @Test("T8: a timed-out action is complete already; the phone hears of a completion, to say so")
    func timedOutActions() async {
        let delegate = WholeDelegate()
        let (provider, id) = makeProvider(delegate)
        let answer = action(.answer)
        await app.deliver(.executeTransaction(provider: id, transaction: TransactionValue(actions: [answer])))
        app.phone.forget()
        await app.deliver(.actionTimedOut(provider: id, action: answer.uuid))
        await app.deliver(.actionTimedOut(provider: id, action: answer.uuid))
        #expect(delegate.log == ["execute 1", "timed out CXAnswerCallAction true"])
        #expect(app.phone.requests == [.actionFulfilled(action: answer.uuid, date: nil)])
        #expect(provider.pendingTransactions.isEmpty)
    }

    @Test("S1, S2: the delegate gets the session of its own app process")
    func audioSession() async {
        let delegate = WholeDelegate()
        let (provider, id) = makeProvider(delegate)
        await app.deliver(.audioSessionActivated(provider: id))
        await app.deliver(.audioSessionDeactivated(provider: id))
        #expect(delegate.log == ["activate true", "deactivate"])
        withExtendedLifetime(provider) {}
    }

    @Test("P2: after a reset nothing is pending")
    func reset() async {
        let delegate = WholeDelegate()
        let (provider, id) = makeProvider(delegate)
        let transaction = TransactionValue(actions: [action(.end)])
        await app.deliver(.executeTransaction(provider: id, transaction: transaction))
        await app.deliver(.providerDidReset(provider: id))
        #expect(delegate.log.last == "reset")
        #expect(provider.pendingTransactions.isEmpty)
    }

    @Test("P3: after invalidate the delegate hears nothing, and the phone is told once")
    func invalidate() async {
        let delegate = WholeDelegate()
        var (provider, id): (CXProvider?, UUID) = makeProvider(delegate)
        provider?.invalidate()
        provider?.invalidate()
        provider?.setDelegate(delegate, queue: queue)
        #expect(await !app.deliver(.providerDidReset(provider: id)))
        provider = nil
        #expect(app.phone.requests == [.invalidateProvider(provider: id)])
        #expect(delegate.log.isEmpty)
    }

    @Test("P3: a provider that is deallocated without invalidate tells the phone so")
    func deallocated() {
        var (provider, id): (CXProvider?, UUID) = makeProvider(nil)
        withExtendedLifetime(provider) {}
        provider = nil
        #expect(app.phone.requests == [.releaseProvider(provider: id)])
    }

    @Test("P1: the delegate is not retained; once it is gone the phone is told, and nothing is performed")
    func weakDelegate() async {
        var delegate: WholeDelegate? = WholeDelegate()
        weak let reference = delegate
        let (provider, id) = makeProvider(delegate)
        delegate = nil
        #expect(reference == nil)
        let end = action(.end)
        await app.deliver(.performAction(provider: id, action: end))
        await app.deliver(.performAction(provider: id, action: end))
        #expect(app.phone.requests == [.providerDelegateReleased(provider: id)])
        withExtendedLifetime(provider) {}
    }

    @Test("K12: an app is no notification service extension")
    func servicePush() async {
        let slot = Slot<Bool>()
        CXProvider.reportNewIncomingVoIPPushPayload(["a": 1]) { error in
            slot.put((error as? CXErrorCodeNotificationServiceExtensionError)?.code == .invalidClientProcess)
        }
        #expect(await slot.take())
        await #expect(throws: CXErrorCodeNotificationServiceExtensionError(.invalidClientProcess)) {
            try await CXProvider.reportNewIncomingVoIPPushPayload([:])
        }
    }
}
