// SPDX-License-Identifier: MIT

import Dispatch
public import Foundation

/// An iPhone in this process: installs and launches apps, rings, takes the user's taps, and judges by iOS's rules.
///
/// ``PhoneCore`` decides; this shell runs what it decides. Every method may be called from any thread. App code runs
/// on the app's queues and on the main queue, so the main queue has to be served. Running apps hold their phone: call
/// ``shutDown()`` when it is not needed any more.
public final class VirtualPhone: Sendable {
    /// Which time the phone lives in.
    public enum ClockMode: Hashable, Sendable {
        /// Time moves by ``VirtualPhone/advance(by:)`` alone, from the start date on.
        case virtual(start: Date)
        /// The time of day.
        case real

        /// Virtual time from a fixed date on.
        public static let virtual = ClockMode.virtual(start: Date(timeIntervalSinceReferenceDate: 800_000_000))
    }

    /// What kind of phone it is.
    public struct Configuration: Hashable, Sendable {
        /// The phone's name, for output.
        public var name: String
        /// The system it runs.
        public var system: SystemVersion
        /// Which time it lives in.
        public var clock: ClockMode
        /// The answers to what Apple leaves open.
        public var settings: PhoneSettings
        /// Whether it is locked at first.
        public var locked: Bool
        /// Where tokens and identities come from; the same seed gives the same phone again.
        public var seed: UInt64
        /// The folder that keeps what survives a restart of the phone: the Call Directory's entries and switches; nil
        /// keeps nothing.
        public var storage: URL?

        /// Describes a phone; unless told otherwise an unlocked one with iOS 26.4, virtual time and a random seed.
        public init(
            name: String = "iPhone", system: SystemVersion = SystemVersion(26, 4), clock: ClockMode = .virtual,
            settings: PhoneSettings = PhoneSettings(), locked: Bool = false,
            seed: UInt64 = UInt64.random(in: 0...UInt64.max), storage: URL? = nil
        ) {
            self.name = name
            self.system = system
            self.clock = clock
            self.settings = settings
            self.locked = locked
            self.seed = seed
            self.storage = storage
        }
    }

    /// What kind of phone it is.
    public let configuration: Configuration
    let order: DeliveryOrder?
    let state: Locked<State>
    let containers: Containers

    struct State {
        var core: PhoneCore
        /// The virtual time; unused in real time.
        var clock: Date
        var launchers: [String: @Sendable (LaunchReason) -> AnyObject] = [:]
        var extensions: [String: NotificationExtension] = [:]
        var directories: [String: App.CallDirectoryExtension.Code] = [:]
        var processes: [UUID: any RunningProcess] = [:]
        var roots: [UUID: ProcessRoot] = [:]
        /// Effects in the order of the machine; one thread at a time takes them out.
        var outbox: [PhoneEffect] = []
        var isDraining = false
        /// Launches and deliveries that have not returned.
        var outstanding = 0
        /// Those who look again after each change.
        var watchersOfChanges: [CheckedContinuation<Void, Never>] = []
        /// Those who look again when nothing is being delivered.
        var watchersOfRest: [CheckedContinuation<Void, Never>] = []
        /// Counts the changes, so that no change is missed between a look and a wait.
        var version: UInt64 = 0
        var watchers: [@Sendable (Timeline.Entry) -> Void] = []
        var timer: PhoneTimer?
        /// How many calls of the network there were.
        var otherCalls: UInt64 = 0
        var isShutDown = false

        var isSettled: Bool { outbox.isEmpty && !isDraining && outstanding == 0 }
    }

    /// Makes a phone without apps.
    public convenience init(_ configuration: Configuration = Configuration()) {
        self.init(configuration, order: nil)
    }

    /// Makes a phone whose app code takes turns with that of the other phones of an order.
    package init(_ configuration: Configuration, order: DeliveryOrder?) {
        self.configuration = configuration
        self.order = order
        let start: Date
        switch configuration.clock {
        case .virtual(let date): start = date
        case .real: start = Date()
        }
        var core = PhoneCore(
            system: configuration.system, settings: configuration.settings, locked: configuration.locked,
            seed: configuration.seed, now: start)
        core.storageRoot = VirtualPhone.newStorageRoot()
        containers = Containers(root: core.storageRoot)
        if let storage = configuration.storage { core.directory = DirectoryFolder(storage).read() }
        state = Locked(State(core: core, clock: start))
        if configuration.clock == .real {
            let timer = PhoneTimer { [weak self] in self?.handle(.tick) }
            state.withLock { $0.timer = timer }
        }
    }

    deinit {
        shutDown()
    }

    // MARK: - Apps

    /// Installs an app; installing it again ends its process, kills its token, and lets pushes through again (K9).
    public func install(_ app: App) {
        // What the closures of the installation before keep is let go outside of the lock: it may call the phone.
        let replaced = state.withLock { state in
            let replaced = (state.launchers, state.extensions, state.directories)
            state.launchers[app.bundleIdentifier] = app.launch
            state.extensions[app.bundleIdentifier] = app.notificationExtension
            for directory in app.callDirectoryExtensions {
                state.directories[directory.bundleIdentifier] = directory.code
            }
            return replaced
        }
        withExtendedLifetime(replaced) {}
        handle(.installed(InstalledApp(app)))
    }

    /// Removes an app; a push to its token is answered with ``PushReceipt/unknownToken``.
    public func uninstall(_ bundle: String) {
        handle(.uninstalled(bundle))
    }

    /// The user taps an app's icon: it is launched, or comes to the foreground; a locked phone is unlocked first.
    public func open(_ bundle: String) {
        handle(.opened(bundle))
    }

    /// The user closes an app in the app switcher; its calls stay with the system (T5).
    ///
    /// An app that runs and has an application object hears `applicationWillTerminate` first, and ends when that has
    /// returned; a suspended one ends at once.
    public func close(_ bundle: String) {
        handle(.closed(bundle))
    }

    /// Whether an app runs, and where.
    public func appState(of bundle: String) -> AppState {
        snapshot.apps[bundle] ?? .notRunning
    }

    // MARK: - Pushes

    /// The app's push token; nil until it registered (K1).
    ///
    /// It stays the same over launches, and changes when the app is installed again.
    public func pushToken(for bundle: String) -> Data? {
        state.withLock { $0.core.apps[bundle]?.token }
    }

    /// Takes a VoIP push from APNs; launches the app in the background when it does not run (K1).
    ///
    /// - Parameters:
    ///   - token: The token that APNs was given.
    ///   - payload: A JSON object in UTF-8 of at most 5,120 bytes; APNs takes nothing else.
    ///   - sentAt: When the server sent it; nil means now. An old push need not be reported (K8).
    ///   - expiration: `apns-expiration`: when APNs throws it away while the phone cannot be reached (K10); 1970 stands
    ///     for 0, nil for no header.
    /// - Returns: What became of it; the app learns of it later, on its queue.
    @discardableResult
    public func receivePush(
        token: Data, payload: Data, sentAt: Date? = nil, expiration: Date? = nil
    ) -> PushReceipt {
        handle(.pushArrived(token: token, payload: payload, sentAt: sentAt, expiration: expiration)).receipt
            ?? .unknownToken
    }

    /// APNs declares the app's token dead (K2).
    public func invalidateToken(of bundle: String) {
        handle(.tokenInvalidated(bundle))
    }

    // MARK: - What the phone shows

    /// The user of the phone.
    public var user: User { User(phone: self) }
    /// The faults that can be injected.
    public var faults: Faults { Faults(phone: self) }
    /// Everything about this moment.
    public var snapshot: PhoneSnapshot { state.withLock { $0.core.snapshot } }
    /// What the user sees.
    public var screen: Screen { state.withLock { $0.core.screen } }
    /// What happened.
    public var timeline: Timeline { state.withLock { $0.core.timeline } }
    /// The broken rules.
    public var violations: [Violation] { state.withLock { $0.core.violations } }
    /// What is likely a mistake, and breaks nothing on an iPhone at once.
    public var warnings: [Violation] { state.withLock { $0.core.warnings } }
    /// The processes that the phone ended.
    public var deaths: [CauseOfDeath] { state.withLock { $0.core.deaths } }
    /// The calls of the past, newest first.
    public var recents: [RecentCall] { state.withLock { $0.core.recents } }

    /// Adds a line to the timeline for somebody outside the phone, such as the server.
    public func record(
        _ actor: Timeline.Actor, _ text: String, rule: String? = nil, call: UUID? = nil, app: String? = nil
    ) {
        handle(.recorded(Timeline.Entry(time: now, actor: actor, rule: rule, text: text, call: call, app: app)))
    }

    /// Calls a closure for every new line of the timeline, in order, one at a time.
    public func watchTimeline(_ watcher: @escaping @Sendable (Timeline.Entry) -> Void) {
        state.withLock { $0.watchers.append(watcher) }
    }

    /// Ends every process without a cause of death, and stops the clock.
    public func shutDown() {
        let (processes, roots, timer) = state.withLock { state in
            state.isShutDown = true
            defer {
                state.processes = [:]
                state.roots = [:]
                state.timer = nil
            }
            return (state.processes, state.roots, state.timer)
        }
        timer?.cancel()
        for process in processes.values { process.terminate() }
        removeStorage()
        nudge()
        withExtendedLifetime(roots) {}
    }
}
