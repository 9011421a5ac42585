// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

@testable import CallKit

@Suite struct CXProviderReportTests {
    private let app = TestApp()
    private let call = UUID()
    private let queue = DispatchQueue(label: "delegate")

    private func makeProvider(_ delegate: (any CXProviderDelegate)?) -> CXProvider {
        let provider = app.process.run { CXProvider(configuration: CXProviderConfiguration()) }
        if let delegate { provider.setDelegate(delegate, queue: queue) }
        return provider
    }

    @Test func reportsReachThePhone() {
        let provider = makeProvider(nil)
        let id = app.provider
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let update = CXCallUpdate()
        update.hasVideo = true
        var value = CallUpdateValue()
        value.hasVideo = true
        provider.reportCall(with: call, updated: update)
        provider.reportCall(with: call, endedAt: nil, reason: .answeredElsewhere)
        provider.reportOutgoingCall(with: call, startedConnectingAt: date)
        provider.reportOutgoingCall(with: call, connectedAt: nil)
        #expect(
            app.phone.requests == [
                .createProvider(provider: id, configuration: ProviderConfigurationValue()),
                .reportCallUpdated(provider: id, call: call, update: value),
                .reportCallEnded(provider: id, call: call, date: nil, reason: 4),
                .reportOutgoingCallStartedConnecting(provider: id, call: call, date: date),
                .reportOutgoingCallConnected(provider: id, call: call, date: nil),
            ])
    }

    @Test("G1: the configuration is copied when it is set and when it is read")
    func configurationIsCopied() {
        let configuration = CXProviderConfiguration()
        let provider = app.process.run { CXProvider(configuration: configuration) }
        configuration.supportsVideo = true
        provider.configuration.maximumCallGroups = 1
        #expect(!provider.configuration.supportsVideo)
        configuration.maximumCallGroups = 1
        provider.configuration = configuration
        configuration.supportsVideo = false
        #expect(provider.configuration.supportsVideo && provider.configuration.maximumCallGroups == 1)
        var value = ProviderConfigurationValue()
        value.supportsVideo = true
        value.maximumCallGroups = 1
        #expect(app.phone.requests.contains(.configureProvider(provider: app.provider, configuration: value)))
    }

    @Test("I1, R26: the completion of a report runs on the delegate's queue")
    func completionOnDelegateQueue() async {
        let delegate = WholeDelegate()
        let provider = makeProvider(delegate)
        let slot = Slot<Int>()
        provider.reportNewIncomingCall(with: call, update: CXCallUpdate()) { [queue] error in
            dispatchPrecondition(condition: .onQueue(queue))
            slot.put((error as? CXErrorCodeIncomingCallError)?.errorCode ?? -1)
        }
        guard case .reportNewIncomingCall(_, call, _, let report) = app.phone.requests.last else {
            Issue.record("no report")
            return
        }
        let error = PhoneError(domain: CXErrorDomainIncomingCall, code: 4)
        #expect(await app.deliver(.reportCompleted(report: report, error: error)))
        #expect(await slot.take() == 4)
        #expect(await !app.deliver(.reportCompleted(report: report, error: nil)), "one answer is enough")
    }

    @Test("R26: without a delegate a completion runs on a queue of the provider's own; with queue nil on main")
    func completionWithoutDelegate() async {
        let delegate = WholeDelegate()
        let provider = makeProvider(nil)
        let slot = Slot<Bool>()
        func report() -> UUID {
            provider.reportNewIncomingCall(with: call, update: CXCallUpdate()) { [queue] error in
                dispatchPrecondition(condition: .notOnQueue(queue))
                slot.put(error == nil)
            }
            guard case .reportNewIncomingCall(_, _, _, let report) = app.phone.requests.last else { return UUID() }
            return report
        }
        await app.deliver(.reportCompleted(report: report(), error: nil))
        #expect(await slot.take())
        provider.setDelegate(delegate, queue: nil)
        provider.reportNewIncomingCall(with: call, update: CXCallUpdate()) { error in
            dispatchPrecondition(condition: .onQueue(.main))
            slot.put(error == nil)
        }
        guard case .reportNewIncomingCall(_, _, _, let second) = app.phone.requests.last else { return }
        await app.deliver(.reportCompleted(report: second, error: nil))
        #expect(await slot.take())
    }

    @Test func asyncReportsThrowTheStruct() async {
        let refusing = TestApp { request in
            guard case .reportNewIncomingCall = request else { return .done }
            return .failure(PhoneError(domain: CXErrorDomainIncomingCall, code: 2))
        }
        let provider = refusing.process.run { CXProvider(configuration: CXProviderConfiguration()) }
        await #expect(throws: CXErrorCodeIncomingCallError(.callUUIDAlreadyExists)) {
            try await provider.reportNewIncomingCall(with: call, update: CXCallUpdate())
        }
    }
}
