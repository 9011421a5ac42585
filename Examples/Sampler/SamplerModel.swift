// SPDX-License-Identifier: MIT

public import Combine
import Offhook

/// The sample app: own id, a list of peers, a Call button and an End button.
///
/// The flow: start → settings and microphone are checked → connected → Call → peers → one is chosen → it rings there →
/// answered → both talk → End.
@MainActor
public final class SamplerModel: ObservableObject {
    /// What to show.
    @Published public private(set) var screen = SamplerScreen()

    private let settings: SamplerSettings
    private let userID: String
    private let directory: any PeerDirectory
    private let microphone: @Sendable () -> Microphone
    private let askForMicrophone: @Sendable () async -> Microphone
    private let calls: CallCenter?
    private var live: [Call] = []
    private var connection: ConnectionState = .offline
    private var mayTalk = false

    /// Makes the app's model; nothing is shown before ``start()``.
    ///
    /// - Parameters:
    ///   - app: The app's calls; nil when the settings are missing.
    ///   - settings: Server and token.
    ///   - userID: This user's own id, to show.
    ///   - directory: Where the peers come from.
    ///   - microphone: How the microphone's permission stands.
    ///   - askForMicrophone: Asks the user for it.
    public init(
        _ app: Sampler?, settings: SamplerSettings, userID: String, directory: any PeerDirectory,
        microphone: @escaping @Sendable () -> Microphone = { Microphone.current },
        askForMicrophone: @escaping @Sendable () async -> Microphone = { await Microphone.ask() }
    ) {
        calls = app?.calls
        self.settings = settings
        self.userID = userID
        self.directory = directory
        self.microphone = microphone
        self.askForMicrophone = askForMicrophone
    }

    /// Checks settings and microphone; what is missing becomes an alert, never a crash (R5, R10).
    public func start() async {
        if let problem = settings.problem {
            screen.alert = .settings(problem)
            return
        }
        var state = microphone()
        if state == .notDetermined { state = await askForMicrophone() }
        switch state {
        case .authorized: mayTalk = true
        case .denied: screen.alert = .microphoneDenied
        case .notDetermined: break  // asked in vain, such as on the lock screen (R77); asked again at the next start
        case .restricted: screen.alert = .microphoneRestricted
        }
        refresh()
    }

    /// Follows connection and calls until the task that runs it is cancelled.
    public func follow() async {
        guard let calls else { return }
        for await event in calls.events {
            switch event {
            case .snapshot(let calls): live = calls
            case .changed(let call): change(call)
            case .connection(let state): connection = state
            case .invitation, .audio, .routes, .storage, .account, .warning: break
            }
            refresh()
        }
    }

    /// The Call button: shows the peers, or says that there are none.
    public func callTapped() async {
        guard screen.canCall else { return }
        do {
            let peers = try await directory.peers().filter { $0.id != userID }
            if peers.isEmpty { screen.alert = .nobodyToCall } else { screen.choices = peers }
        } catch {
            screen.alert = .failure("\(error)")
        }
    }

    /// Cancel in the list of peers.
    public func cancelChoice() {
        screen.choices = nil
    }

    /// A peer in the list: calls it.
    public func choose(_ peer: Peer) async {
        screen.choices = nil
        guard let calls, screen.canCall else { return }
        screen.canCall = false  // a second tap makes no second call
        let result = await calls.startCall(to: Handle(value: peer.id), displayName: peer.name)
        if let failure = result.failure { screen.alert = .failure(failure.message) }
        refresh()
    }

    /// The End button.
    public func endTapped() async {
        guard let calls, let call = live.first else { return }
        if let failure = await calls.end(call.id).failure { screen.alert = .failure(failure.message) }
    }

    /// OK in an alert.
    public func dismissAlert() {
        screen.alert = nil
    }

    private func change(_ call: Call) {
        live.removeAll { $0.id == call.id }
        if call.hasEnded {
            guard let failure = call.failure else { return }
            screen.alert = .failure(failure.message)
        } else {
            live.append(call)
        }
    }

    private func refresh() {
        let isOnline = connection == .online
        screen.ownID = isOnline ? userID : nil
        screen.canCall = isOnline && mayTalk && live.isEmpty
        screen.canEnd = !live.isEmpty
        guard let call = live.first else {
            screen.status = isOnline ? "Ready" : "Not connected"
            return
        }
        let name = call.details.displayName ?? call.details.handle.value
        switch call.state {
        case .incoming: screen.status = "\(name) calls"
        case .outgoing: screen.status = call.remoteRinging ? "Rings at \(name)" : "Calling \(name)"
        case .connecting: screen.status = "Connecting with \(name)"
        case .active: screen.status = "Talking with \(name)"
        case .held: screen.status = "\(name) is on hold"
        case .ended: screen.status = "Ready"
        }
    }
}
