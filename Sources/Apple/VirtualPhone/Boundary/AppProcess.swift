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
    }

    @TaskLocal private static var ambient: AppProcess?
    private static let queueKey = DispatchSpecificKey<AppProcess>()
    private static let running = Locked<[ObjectIdentifier: AppProcess]>([:])

    /// Names the process.
    public let id: UUID
    /// Names the app.
    public let bundleIdentifier: String
    private let link: any PhoneLink
    private let state = Locked(State())

    /// Starts a process whose requests go to a phone; called by the phone, or by a process launched by one.
    public init(bundleIdentifier: String, link: any PhoneLink, id: UUID = UUID()) {
        self.id = id
        self.bundleIdentifier = bundleIdentifier
        self.link = link
        AppProcess.running.withLock { $0[ObjectIdentifier(self)] = self }
    }

    /// The process that the calling code belongs to.
    ///
    /// The callback or task that runs, else the delegate queue it runs on, else the only process there is.
    /// - Returns: nil when no process runs, or when several do and nothing tells which is meant.
    public static var current: AppProcess? {
        if let ambient { return ambient }
        if let process = DispatchQueue.getSpecific(key: queueKey) { return process }
        return running.withLock { $0.count == 1 ? $0.values.first : nil }
    }

    /// Runs code as this process: framework objects made inside belong to it.
    public func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try AppProcess.$ambient.withValue(self, operation: body)
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
        CallbackReturn.current?.requestIsMade(request)
        guard isRunning else { return .processTerminated }
        return link.handle(request, from: self)
    }

    /// The phone's time, for action deadlines (T6).
    public var now: Date {
        link.now
    }

    /// Registers a framework object for its events, or changes its queue.
    ///
    /// The main queue belongs to all processes.
    public func attach(_ endpoint: UUID, queue: DispatchQueue, handler: @escaping Handler) {
        if queue !== DispatchQueue.main { queue.setSpecific(key: AppProcess.queueKey, value: self) }
        state.withLock { $0.endpoints[endpoint] = Endpoint(queue: queue, handler: handler) }
    }

    /// Removes a framework object.
    public func detach(_ endpoint: UUID) {
        _ = state.withLock { $0.endpoints.removeValue(forKey: endpoint) }
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
        let endpoints = state.withLock { state in
            state.running = false
            defer { state.endpoints = [:] }
            return state.endpoints
        }
        for endpoint in endpoints.values where endpoint.queue !== DispatchQueue.main {
            endpoint.queue.setSpecific(key: AppProcess.queueKey, value: nil)
        }
        _ = AppProcess.running.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
    }
}

/// The phone behind the boundary: in process a direct call, else a socket.
public protocol PhoneLink: Sendable {
    /// Handles one request of a process. Any thread; returns at once.
    func handle(_ request: AppRequest, from process: AppProcess) -> AppReply
    /// The phone's time.
    var now: Date { get }
}
