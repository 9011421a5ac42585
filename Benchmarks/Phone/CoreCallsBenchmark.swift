// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

/// phone.core: whole calls through the phone's rules alone, on one thread: no frameworks, no queues.
///
/// The same calls as those of phone.calls, with an app that answers each message of the phone at once.
enum CoreCallsBenchmark {
    static let benchmark = Benchmark(
        ids: ["phone.core"], summary: "whole calls through the phone's rules alone",
        run: {
            let small = try measure(calls: 5_000)
            let large = try measure(calls: 100_000)
            let growth = Growth.note((small.calls, small.processor), (large.calls, large.processor))
            return [small, large].map { measured in
                BenchmarkRow(
                    "phone.core", n: measured.calls, value: Double(measured.calls) / measured.processor,
                    unit: "calls/s", note: measured.calls == small.calls ? nil : growth)
            }
        })

    private static func measure(calls: Int) throws -> (calls: Int, processor: Double) {
        var app = CoreApp()
        let before = Stopwatch.processorSeconds()
        for number in 0..<calls { try app.call(number) }
        let processor = Stopwatch.processorSeconds() - before
        guard app.core.violations.isEmpty, !app.core.recents.isEmpty else {
            throw BenchmarkError("the calls broke rules: \(app.core.violations.count)")
        }
        return (calls, processor)
    }
}

/// A machine, and an app that does what it is told.
private struct CoreApp {
    var core = PhoneCore(
        system: SystemVersion(26, 4), settings: PhoneSettings(), locked: false, seed: 1,
        now: Date(timeIntervalSinceReferenceDate: 0))
    private var now = Date(timeIntervalSinceReferenceDate: 0)
    private var token = Data()
    private var call = UUID()
    private var audio = 0
    private let provider = UUID()
    private let registry = UUID()
    private let update: CallUpdateValue = {
        var update = CallUpdateValue()
        update.localizedCallerName = "Alice"
        return update
    }()

    init() {
        let app = InstalledApp(
            bundleIdentifier: "app", displayName: "app", backgroundModes: [.voip], apsEnvironment: .development)
        send(.installed(app))
        send(.opened("app"))
        send(.wentHome)
    }

    mutating func call(_ number: Int) throws {
        call = UUID(
            uuid: (
                1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, byte(number, 3), byte(number, 2), byte(number, 1),
                byte(number, 0)
            ))
        send(.pushArrived(token: token, payload: Data("{}".utf8), sentAt: nil))
        send(.user(.choose(.answer, call: nil)))
        pass(1)
        guard audio == 1 else { throw BenchmarkError("a call has no audio") }
        pass(59)
        send(.user(.hangUp(call: nil)))
        guard audio == 0 else { throw BenchmarkError("a call keeps its audio") }
    }

    private func byte(_ number: Int, _ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }

    private mutating func pass(_ seconds: Double) {
        let end = now.addingTimeInterval(seconds)
        while let deadline = core.deadline, deadline <= end {
            now = max(now, deadline)
            send(.tick)
        }
        now = end
        send(.tick)
    }

    private mutating func send(_ input: PhoneInput) {
        for effect in core.handle(input, at: now).effects {
            switch effect {
            case .launch(let process, _, _): launch(process)
            case .deliver(let delivery, let process, let event):
                receive(event, process)
                send(.deliveryFinished(delivery: delivery, handled: true))
            case .terminate, .record, .launchExtension, .storage, .launchDirectory, .storeDirectory,
                .storeDirectorySwitches:
                break
            }
        }
    }

    private mutating func launch(_ process: UUID) {
        ask(.createProvider(provider: provider, configuration: ProviderConfigurationValue()), process)
        ask(.setProviderDelegate(provider: provider, present: true), process)
        ask(.setDesiredPushTypes(registry: registry, types: ["PKPushTypeVoIP"]), process)
        send(.launchFinished(process: process))
    }

    private mutating func ask(_ request: AppRequest, _ process: UUID) {
        send(.request(request, process: process))
    }

    private mutating func receive(_ event: PhoneEvent, _ process: UUID) {
        switch event {
        case .pushCredentials(_, _, let token): self.token = token
        case .push(_, let push):
            ask(.reportNewIncomingCall(provider: provider, call: call, update: update, report: call), process)
            ask(.pushCompleted(push: push.id), process)
            ask(.pushHandlerReturned(push: push.id), process)
        case .executeTransaction(_, let transaction):
            ask(.transactionExecuted(transaction: transaction.uuid, handled: false), process)
        case .performAction(_, let action): ask(.actionFulfilled(action: action.uuid, date: nil), process)
        case .audioSessionActivated: audio += 1
        case .audioSessionDeactivated: audio -= 1
        case .providerDidBegin, .providerDidReset, .reportCompleted, .actionTimedOut, .conversationChanged,
            .requestCompleted, .callChanged, .pushTokenInvalidated, .application, .audioSession, .directory:
            break
        }
    }
}
