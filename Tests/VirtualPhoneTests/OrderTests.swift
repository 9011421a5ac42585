// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Testing
import VirtualPhone

/// Many threads at once: what an object hears comes in the order in which the phone decided it.
@Suite(.timeLimit(.minutes(2)))
struct OrderTests {
    private final class Heard: Sendable {
        private let lines = Locked<[String]>([])
        func append(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("An observer hears of calls in the machine's order, whoever reports them")
    func observerOrder() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.maximumCallGroups = 1000
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let heard = Heard()
        let observer = UUID()
        app.process.attach(observer, queue: DispatchQueue(label: "observer")) { event in
            if case .callChanged(_, let call) = event { heard.append("\(call.uuid) \(call.hasEnded)") }
        }
        app.process.send(.observeCalls(observer: observer))
        let start = bench.lineCount
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    for _ in 0..<50 {
                        let call = UUID()
                        app.report(call)
                        app.end(call, reason: 2)
                    }
                }
                continuation.resume()
            }
        }
        await bench.phone.settle()
        let decided = bench.phone.timeline.entries.dropFirst(start).compactMap { entry -> String? in
            guard let call = entry.call else { return nil }
            switch entry.text {
            case "rings": return "\(call) false"
            case "call ended": return "\(call) true"
            default: return nil
            }
        }
        #expect(decided.count == 800)
        #expect(heard.all == decided)
        #expect(bench.phone.recents.count == 400)
    }

    @Test("A phone that is shut down answers nobody and keeps nobody waiting")
    func shutDown() async throws {
        let bench = PhoneBench(locked: false)
        let app = try await bench.open()
        let task = Task { [phone = bench.phone] in
            try await phone.wait(for: { !$0.calls.isEmpty }, timeout: .milliseconds(200))
        }
        bench.close()
        await bench.phone.settle()
        #expect(app.process.send(.listCalls) == .processTerminated)
        #expect(bench.phone.receivePush(token: Data([1]), payload: Data()) == .unknownToken)
        await #expect(throws: VirtualPhone.WaitTimedOut.self) { try await task.value }
    }
}
