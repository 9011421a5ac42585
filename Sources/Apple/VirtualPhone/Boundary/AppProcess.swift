// SPDX-License-Identifier: MIT

public import Dispatch
public import Foundation

/// The app's end of the boundary: one per running app process, the place where framework objects find their phone.
///
/// Framework objects take ``current`` when they are made. In process, several app processes of several phones can run
/// side by side: the one meant is known from the callback being run, the task, or the queue a delegate was set on.
public final class AppProcess: Sendable {
    /// Receives the events for one framework object.
    public typealias Handler = @Sendable (PhoneEvent) -> Void

    private struct Endpoint {
        var queue: DispatchQueue
        var handler: Handler
    }
    private struct State {
        var running = true
        var endpoints: [UUID: Endpoint] = [:]
        /// The process's one object of a class, such as its UIApplication.
        var singletons: [ObjectIdentifier: AnyObject] = [:]
    }

    /// What a delegate queue knows of its process; a queue that outlives it, such as a static one, does not keep it.
    private final class QueueOwner: Sendable {
        private let owner = Locked(Owner())

        init(_ process: AppProcess) {
            owner.withLock { $0.process = process }
        }

        var process: AppProcess? { owner.withLock { $0.process } }
    }
    private struct Owner {
        weak var process: AppProcess?
    }

    @TaskLocal private static var ambient: AppProcess?
    private static let queueKey = DispatchSpecificKey<QueueOwner>()
    private static let running = Locked<[ObjectIdentifier: AppProcess]>([:])

    /// Names the process.
    public let id: UUID
    /// Names the app.
    public let bundleIdentifier: String
    private let link: any PhoneLink
    private let state = Locked(State())

    /// Starts a process whose requests go to a phone; called by the phone, or by a process launched by one.
    ///
    /// - Parameters:
    ///   - bundleIdentifier: Names the app, or the extension.
    ///   - link: Where the requests go.
    ///   - id: Names the process.
    ///   - isExtension: Whether it is an extension beside the app: then it is ``current`` for its own code alone.
    public init(bundleIdentifier: String, link: any PhoneLink, id: UUID = UUID(), isExtension: Bool = false) {
        self.id = id
        self.bundleIdentifier = bundleIdentifier
        self.link = link
        guard !isExtension else { return }
        AppProcess.running.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// The process that the calling code belongs to.
    ///
    /// The callback or task that runs, else the delegate queue it runs on, else the only process there is. A program
    /// that a phone launched is its process as a whole.
    /// - Returns: nil when no process runs, or when several do and nothing tells which is meant.
    public static var current: AppProcess? {
        if let ambient { return ambient }
        let owner = DispatchQueue.getSpecific(key: queueKey)?.process
        if let owner, owner.isRunning { return owner }
        let (count, only) = running.withLock { ($0.count, $0.count == 1 ? $0.values.first : nil) }
        // What goes on running of a dead process still belongs to it, when nothing else is meant.
        return only ?? owner ?? (count == 0 ? connectFromEnvironment() : nil)
    }

    /// Runs code as this process: framework objects made inside belong to it.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try AppProcess.$ambient.withValue(self, operation: body)
    }

    /// Runs code and the tasks it starts as this process: framework objects made inside belong to it.
    public func run<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await AppProcess.$ambient.withValue(self, operation: body, isolation: isolation)
    }

    /// Whether the process lives.
    public var isRunning: Bool {
        state.withLock { $0.running }
    }

    /// Asks the phone; any thread.
    ///
    /// - Returns: The phone's answer; a dead process gets ``AppReply/processTerminated``.
    @discardableResult
    public func send(_ request: AppRequest) -> AppReply {
        send(request, countsInAsyncCallback: false)
    }

    /// Asks the phone; any thread.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - countsInAsyncCallback: Whether the request comes in time (K3, L3) when an async push method makes it before
    ///     it waits for anything.
    /// - Returns: The phone's answer; a dead process gets ``AppReply/processTerminated``.
    @discardableResult
    package func send(_ request: AppRequest, countsInAsyncCallback: Bool) -> AppReply {
        CallbackReturn.current?.requestIsMade(request, countsInAsyncCallback: countsInAsyncCallback)
        guard isRunning else { return .processTerminated }
        return link.handle(request, from: self)
    }

    /// The phone's time of day, for action deadlines (T6); fault `clock-jump` moves it.
    public var now: Date {
        link.timeOfDay
    }

    /// The directory of the app's files on this phone; nil when the phone has none (R78).
    public var container: URL? {
        link.container(of: self, group: nil)
    }

    /// The directory of an App Group; nil when the app does not belong to it.
    public func container(group: String) -> URL? {
        link.container(of: self, group: group)
    }

    /// Registers a framework object for its events, or changes its queue.
    ///
    /// The main queue and the global ones belong to all processes. A dead process keeps nothing.
    public func attach(_ endpoint: UUID, queue: DispatchQueue, handler: @escaping Handler) {
        let isAttached = state.withLock { state in
            guard state.running else { return false }
            state.endpoints[endpoint] = Endpoint(queue: queue, handler: handler)
            return true
        }
        guard isAttached, !AppProcess.isShared(queue), queue.getSpecific(key: AppProcess.queueKey)?.process !== self
        else { return }
        queue.setSpecific(key: AppProcess.queueKey, value: QueueOwner(self))
    }

    /// Whether a queue is the main one or a global one.
    ///
    /// Their objects differ each time on Linux; their names do not.
    private static func isShared(_ queue: DispatchQueue) -> Bool {
        queue.label == "com.apple.main-thread" || queue.label.hasPrefix("com.apple.root.")
    }

    /// The process's one object of a class; made when it is first asked for, and kept until the process ends.
    package func singleton<Object: AnyObject>(_ make: () -> Object) -> Object {
        let key = ObjectIdentifier(Object.self)
        if let known = state.withLock({ $0.singletons[key] as? Object }) { return known }
        let new = make()
        return state.withLock { state in
            if let known = state.singletons[key] as? Object { return known }
            if state.running { state.singletons[key] = new }
            return new
        }
    }

    /// Removes a framework object.
    public func detach(_ endpoint: UUID) {
        _ = state.withLock { $0.endpoints.removeValue(forKey: endpoint) }
    }

    /// The queues its framework objects are called on.
    package var queues: [DispatchQueue] {
        state.withLock { $0.endpoints.values.map(\.queue) }
    }

    /// Delivers an event to a framework object on its queue; called by the phone.
    ///
    /// - Parameters:
    ///   - event: What to deliver.
    ///   - endpoint: The object, by the id it is attached under.
    ///   - finished: Called when the handler has returned, or at once when nothing receives the event.
    ///     The argument says whether the event was handled.
    public func deliver(_ event: PhoneEvent, to endpoint: UUID, finished: @escaping @Sendable (Bool) -> Void) {
        guard let queue = state.withLock({ $0.running ? $0.endpoints[endpoint]?.queue : nil }) else {
            return finished(false)
        }
        queue.async {
            let handler = self.state.withLock { $0.running ? $0.endpoints[endpoint]?.handler : nil }
            if let handler { self.run { handler(event) } }
            finished(handler != nil)
        }
    }

    /// Ends the process: no event reaches it any more, and its requests do nothing.
    ///
    /// Called by the phone.
    public func terminate() {
        let (endpoints, singletons) = state.withLock { state in
            state.running = false
            defer {
                state.endpoints = [:]
                state.singletons = [:]
            }
            return (state.endpoints, state.singletons)
        }
        defer { withExtendedLifetime((endpoints, singletons)) {} }
        _ = AppProcess.running.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}

/// The phone behind the boundary: in process a direct call, else a socket.
public protocol PhoneLink: Sendable {
    /// Handles one request of a process. Any thread; returns at once.
    func handle(_ request: AppRequest, from process: AppProcess) -> AppReply
    /// The phone's time.
    var now: Date { get }
    /// The time of day as the app sees it; the phone's time unless told otherwise.
    var timeOfDay: Date { get }
    /// The directory of a process's app, or of one of its App Groups; nil when there is none.
    func container(of process: AppProcess, group: String?) -> URL?
}

extension PhoneLink {
    /// The phone's time.
    public var timeOfDay: Date { now }
    /// None.
    public func container(of process: AppProcess, group: String?) -> URL? { nil }
}
