// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

/// Mistakes that apps make with CallKit, against the whole phone: it says what an iPhone keeps to itself.
@Suite(.timeLimit(.minutes(1)))
struct ProviderMistakeTests {
    private final class Root: Sendable {
        let process = AppProcess.current
    }

    /// Performs by closures; has all optional methods.
    private final class Performer: NSObject, CXProviderDelegate, Sendable {
        let seen = Locked<[String]>([])
        let held = Locked<[CXAction]>([])
        private let completes: @Sendable (CXAction) -> Void
        init(_ completes: @escaping @Sendable (CXAction) -> Void = { $0.fulfill() }) { self.completes = completes }
        private func take(_ action: CXAction) {
            seen.withLock { $0.append("\(type(of: action))") }
            held.withLock { $0.append(action) }
            completes(action)
        }
        var log: [String] { seen.withLock { $0 } }
        func providerDidReset(_ provider: CXProvider) { seen.withLock { $0.append("reset") } }
        func provider(_ provider: CXProvider, perform action: CXStartCallAction) { take(action) }
        func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { take(action) }
        func provider(_ provider: CXProvider, perform action: CXEndCallAction) { take(action) }
        func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { take(action) }
        func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
            seen.withLock { $0.append("timed out") }
        }
        func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {}
        func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {}
    }

    /// Implements the least, and misspells the rest.
    private final class Misspeller: NSObject, CXProviderDelegate, Sendable {
        func providerDidReset(_ provider: CXProvider) {}
        func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { action.fulfill() }
        func provider(_ provider: CXProvider, didActivated audioSession: AVAudioSession) {}
    }

    private final class OwnEnd: CXEndCallAction {}
    private final class OwnAction: CXCallAction {}

    private let queue = DispatchQueue(label: "mistakes")
    private let call = UUID()

    private func phone(_ settings: PhoneSettings = PhoneSettings()) async throws -> (VirtualPhone, AppProcess) {
        let phone = VirtualPhone(VirtualPhone.Configuration(settings: settings, seed: 7))
        let (stream, roots) = AsyncStream.makeStream(of: Root.self)
        phone.install(
            App(bundleIdentifier: "org.example.mistakes", displayName: "Mistakes") { _ in
                let root = Root()
                roots.yield(root)
                return root
            })
        phone.open("org.example.mistakes")
        await phone.settle()
        var iterator = stream.makeAsyncIterator()
        return (phone, try #require(await iterator.next()?.process))
    }

    private func provider(_ delegate: (any CXProviderDelegate)?, in process: AppProcess) -> CXProvider {
        let provider = process.run { CXProvider(configuration: CXProviderConfiguration()) }
        if let delegate { provider.setDelegate(delegate, queue: queue) }
        return provider
    }

    private func ring(_ provider: CXProvider, on phone: VirtualPhone) async {
        provider.reportNewIncomingCall(with: call, update: CXCallUpdate()) { _ in }
        await phone.settle()
    }

    @Test("P1, R15: a delegate that was released is named, once; its actions time out")
    func releasedDelegate() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        var delegate: Performer? = Performer()
        let provider = provider(delegate, in: process)
        await phone.settle()
        delegate = nil
        await ring(provider, on: phone)
        try phone.user.decline()
        await phone.advance(by: .seconds(6))
        #expect(phone.violations.first?.rule == "R15")
        #expect(phone.violations.first?.what.contains("deallocated") == true)
    }

    @Test("P26: a delegate that comes after the report still performs the answer, and the report is named")
    func lateDelegate() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let provider = provider(nil, in: process)
        await ring(provider, on: phone)
        try phone.user.answer()
        await phone.settle()
        let delegate = Performer()
        provider.setDelegate(delegate, queue: queue)
        await phone.settle()
        #expect(delegate.log == ["CXAnswerCallAction"])
        #expect(phone.violations.map(\.rule) == ["R15"])
    }

    @Test("P3: a provider that is deallocated during a call ends it as failed, and that is named")
    func deallocated() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer()
        var provider: CXProvider? = provider(delegate, in: process)
        if let provider { await ring(provider, on: phone) }
        provider = nil
        await phone.settle()
        #expect(phone.recents.map(\.outcome) == [.failed])
        #expect(phone.violations.map(\.rule) == ["P3"])
        #expect(delegate.log.isEmpty)
    }

    @Test("P3: a provider that is invalidated during a call ends it, and its delegate hears nothing more")
    func invalidated() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer()
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        provider.invalidate()
        await phone.advance(by: .seconds(120))
        #expect(phone.recents.map(\.outcome) == [.failed])
        #expect(delegate.log.isEmpty)
        #expect(phone.violations.isEmpty)
    }

    @Test("R29: an action completed twice is named; the first completion counts")
    func completedTwice() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer { action in
            action.fulfill()
            action.fail()
        }
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        try phone.user.answer()
        await phone.settle()
        #expect(phone.snapshot.calls.map(\.phase) == [.connected])
        #expect(phone.violations.map(\.rule) == ["R29"])
    }

    @Test("T7: an action may be completed from any thread")
    func otherThread() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer { _ in }
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        try phone.user.answer()
        await phone.settle()
        Thread { delegate.held.withLock { $0.first }?.fulfill() }.start()
        try await phone.wait(for: { $0.calls.map(\.phase) == [.connected] })
        #expect(phone.violations.isEmpty)
    }

    @Test("T8: an action completed after its deadline is named")
    func completedLate() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer { _ in }
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        try phone.user.decline()
        await phone.advance(by: .seconds(5))
        #expect(delegate.log == ["CXEndCallAction", "timed out"])
        delegate.held.withLock { $0.first }?.fulfill()
        #expect(phone.violations.map(\.rule) == ["R29", "T8"])
        #expect(phone.snapshot.calls.count == 1)
    }

    @Test("T10, T7: completing a copy completes nothing: the action itself times out")
    func completedCopy() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer { ($0.copy() as? CXAction)?.fulfill() }
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        try phone.user.decline()
        await phone.advance(by: .seconds(5))
        #expect(phone.violations.map(\.rule) == ["R29"])
        #expect(delegate.log.last == "timed out")
    }

    @Test("T1: a subclass of an action is performed as its base; one of no kind answers 6")
    func subclasses() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer()
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        let controller = process.run { CXCallController(queue: queue) }
        await #expect(throws: CXErrorCodeRequestTransactionError.self) {
            try await controller.requestTransaction(with: OwnAction(call: call))
        }
        try await controller.requestTransaction(with: OwnEnd(call: call))
        await phone.settle()
        #expect(delegate.log == ["CXEndCallAction"])
        #expect(phone.snapshot.calls.isEmpty)
    }

    @Test("T1: a transaction object is requested twice; an action object stands in it twice; an empty one")
    func reusedObjects() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Performer { _ in }
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        let controller = process.run { CXCallController(queue: queue) }
        let transaction = process.run { CXTransaction(action: CXSetMutedCallAction(call: call, muted: true)) }
        try await controller.request(transaction)
        await #expect(throws: CXErrorCodeRequestTransactionError.self) { try await controller.request(transaction) }
        let twice = process.run { CXSetMutedCallAction(call: call, muted: true) }
        await #expect(throws: CXErrorCodeRequestTransactionError.self) {
            try await controller.requestTransaction(with: [twice, twice])
        }
        do {
            try await controller.request(CXTransaction())
            Issue.record("an empty transaction was accepted")
        } catch CXErrorCodeRequestTransactionError.emptyTransaction {}
        #expect(provider.pendingTransactions.count == 1)
    }

    @Test("T11: methods that only look like the delegate's are warned of, once each, by what is lost")
    func misspelt() async throws {
        let (phone, process) = try await phone()
        defer { phone.shutDown() }
        let delegate = Misspeller()
        let provider = provider(delegate, in: process)
        await ring(provider, on: phone)
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        #expect(phone.warnings.map(\.rule) == ["T11"])
        #expect(phone.warnings.first?.what.contains("provider(_:didActivate:)") == true)
        #expect(phone.violations.isEmpty)
        try phone.user.hangUp()
        await phone.settle()
        #expect(phone.violations.map(\.rule) == ["T11"])
        #expect(phone.violations.first?.what.contains("CXEndCallAction") == true)
    }

    @Test("T6: an archive with a deadline that is none, or with things that are no actions, gives nothing")
    func hostileArchives() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.encode(NSString(string: UUID().uuidString), forKey: "UUID")
        archiver.encode(NSString(string: UUID().uuidString), forKey: "callUUID")
        archiver.encode(Double.nan, forKey: "timeoutDate")
        archiver.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(CXEndCallAction(coder: reader) == nil)
        let strings = NSKeyedArchiver(requiringSecureCoding: true)
        strings.encode(NSString(string: UUID().uuidString), forKey: "UUID")
        strings.encode(NSArray(array: [NSString(string: "no action")]), forKey: "actions")
        strings.finishEncoding()
        #expect(CXTransaction(coder: try NSKeyedUnarchiver(forReadingFrom: strings.encodedData)) == nil)
    }
}
