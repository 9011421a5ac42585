// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

@testable import CallKit

private final class ObserverDelegate: NSObject, CXCallObserverDelegate {
    let calls = Slot<UUID>()
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        #expect(call.hasConnected && !call.hasEnded && call.isOutgoing && !call.isOnHold)
        calls.put(call.uuid)
    }
}

@Suite struct CXCallControllerTests {
    private let app = TestApp()
    private let call = UUID()

    private var lastRequest: (UUID, TransactionValue) {
        guard case .requestTransaction(let request, let transaction) = app.phone.requests.last else {
            return (UUID(), TransactionValue(actions: []))
        }
        return (request, transaction)
    }

    @Test("O1: the completion runs on the controller's queue")
    func completionOnQueue() async {
        let queue = DispatchQueue(label: "controller")
        let controller = app.process.run { CXCallController(queue: queue) }
        let slot = Slot<String>()
        let mute = app.process.run { CXSetMutedCallAction(call: call, muted: true) }
        controller.request(CXTransaction(action: mute)) { error in
            dispatchPrecondition(condition: .onQueue(queue))
            slot.put((error as? CXErrorCodeRequestTransactionError).map { "\($0.code)" } ?? "accepted")
        }
        let (request, transaction) = lastRequest
        #expect(transaction.actions == [mute.boundaryValue])
        #expect(transaction.actions.first?.timeoutDate == app.phone.now.addingTimeInterval(5))
        let error = PhoneError(domain: CXErrorDomainRequestTransaction, code: 4)
        await app.deliver(.requestCompleted(request: request, error: error))
        #expect(await slot.take() == "unknownCallUUID")
    }

    @Test func asyncFormsReturnWhenThePhoneAccepts() async throws {
        let code = 7
        let full = TestApp { request in
            guard case .requestTransaction(_, let transaction) = request, transaction.actions.count < 2 else {
                return .done
            }
            return .failure(PhoneError(domain: CXErrorDomainRequestTransaction, code: code))
        }
        let refused = full.process.run { CXCallController() }
        let end = CXEndCallAction(call: call)
        await #expect(throws: CXErrorCodeRequestTransactionError(.maximumCallGroupsReached)) {
            try await refused.request(CXTransaction(action: end))
        }
        await #expect(throws: CXErrorCodeRequestTransactionError(.maximumCallGroupsReached)) {
            try await refused.requestTransaction(with: end)
        }
        await #expect(throws: CXErrorCodeRequestTransactionError(.maximumCallGroupsReached)) {
            try await refused.requestTransaction(with: [end])
        }
    }

    @Test func acceptedAsyncRequestsReturn() async throws {
        let process = Slot<AppProcess>()
        // Answers the request as soon as it was made.
        let app = TestApp { request in
            guard case .requestTransaction(let id, _) = request else { return .done }
            Task {
                let process = await process.take()
                process.deliver(.requestCompleted(request: id, error: nil), to: id) { _ in }
            }
            return .done
        }
        process.put(app.process)
        let controller = app.process.run { CXCallController() }
        try await controller.requestTransaction(with: [CXEndCallAction(call: call)])
        #expect(app.phone.requests.count == 1)
    }

    @Test func theFormsWithActionsMakeATransaction() {
        let controller = app.process.run { CXCallController() }
        controller.requestTransaction(with: CXEndCallAction(call: call)) { _ in }
        #expect(lastRequest.1.actions.map(\.kind) == [.end])
        controller.requestTransaction(with: [CXAnswerCallAction(call: call), CXEndCallAction(call: call)]) { _ in }
        #expect(lastRequest.1.actions.map(\.kind) == [.answer, .end])
    }

    @Test("C1, C2: an observer lists calls and tells its delegate of changes until it goes")
    func observer() async {
        let value = CallValue(uuid: call, isOutgoing: true, hasConnected: true)
        let app = TestApp { $0 == .listCalls ? .calls([value]) : .done }
        var observer: CXCallObserver? = app.process.run { CXCallObserver() }
        #expect(observer?.calls == [CXCall(value)])
        #expect(observer?.calls.first?.uuid == call)
        let delegate = ObserverDelegate()
        observer?.setDelegate(delegate, queue: nil)
        guard case .observeCalls(let id) = app.phone.requests.last else {
            Issue.record("the observer does not observe")
            return
        }
        #expect(await app.deliver(.callChanged(observer: id, call: value)))
        #expect(await delegate.calls.take() == call)
        observer = nil
        #expect(app.phone.requests.last == .stopObservingCalls(observer: id))
        #expect(await !app.deliver(.callChanged(observer: id, call: value)))
    }

    @Test func objectsAreRefusedWithoutAPhone() async {
        await #expect(processExitsWith: .failure) {
            _ = CXCallController()
        }
    }
}
