// SPDX-License-Identifier: MIT

import Foundation
public import Offhook
import OffhookNet
public import VirtualPhone

/// A person of a ``PhoneLab`` with one phone and an Offhook app on it, signed in at the lab's server.
public final class LabUser: Sendable {
    private final class Running: Sendable {
        let calls: CallCenter
        init(_ calls: CallCenter) { self.calls = calls }
    }

    /// The user's name, at the server and in timelines.
    public let name: String
    /// The user's phone.
    public let phone: VirtualPhone
    /// The media engine of the app: it carries nothing, and agrees with the other side's by itself.
    public let media: RecordingMedia
    /// The app's bundle identifier.
    public let bundle = "com.example.offhook"
    private let lab: Weak<PhoneLab>
    private let configure: @Sendable (inout CallCenter.Configuration) -> Void
    private let running = Guarded(Weak<Running>(nil))
    private let failures = Guarded<[OffhookError]>([])

    init(
        _ name: String, phone: VirtualPhone, lab: PhoneLab, capabilities: MediaCapabilities,
        configure: @escaping @Sendable (inout CallCenter.Configuration) -> Void
    ) {
        self.name = name
        self.phone = phone
        self.lab = Weak(lab)
        media = RecordingMedia(negotiates: true, capabilities: capabilities)
        self.configure = configure
    }

    /// The app's call center; nil when it does not run.
    public var calls: CallCenter? { running.withLock { $0.value?.calls } }

    /// Why calls out did not come to be.
    public var callFailures: [OffhookError] { failures.withLock { $0 } }

    /// The app, as it is installed on the phone.
    var app: App {
        App(bundleIdentifier: bundle, displayName: "Calls") { [self] _ in
            guard let lab = lab.value else { return NSObject() }
            let party = BrokerParty(user: name, device: phone.configuration.name)
            var configuration = CallCenter.Configuration(
                serverURL: "ws://lab/signal", sessionToken: { "token" }, deviceID: party.device,
                bundleIdentifier: bundle, pushEnvironment: .development)
            configure(&configuration)
            let calls = CallCenter(
                configuration: configuration, media: media,
                transport: lab.server.transport(for: party, phone: phone.configuration.name),
                clock: lab.clock)
            calls.start()
            let process = Running(calls)
            running.withLock { $0 = Weak(process) }
            return process
        }
    }

    /// The app calls somebody: returns when it has asked the server, before any time has passed.
    ///
    /// What comes of it shows as the lab's time moves; what could not be is in ``callFailures``.
    ///
    /// - Parameter user: Whom; a user of the lab.
    public func call(_ user: String) async {
        guard let calls, let lab = lab.value else { return }
        let before = lab.server.invites
        let isOver = Guarded(false)
        Task { [failures] in
            do {
                try await calls.startCall(to: Handle(value: user), displayName: user).get()
            } catch {
                if let error = error as? OffhookError { failures.withLock { $0.append(error) } }
            }
            isOver.withLock { $0 = true }
        }
        // Time stands still meanwhile.
        while lab.server.invites == before, !isOver.withLock({ $0 }) {
            try? await Task.sleep(for: .microseconds(100))
        }
        await lab.settle()
    }
}

extension PhoneLab {
    /// A person with a phone, on which an Offhook app runs in the background, signed in and registered.
    ///
    /// - Parameters:
    ///   - name: The user's name, and the phone's unless `device` names it.
    ///   - device: The name of the phone: of a second one, when the person has several.
    ///   - closed: Whether the app is closed and the phone locked afterwards, so that only a push reaches it.
    ///   - capabilities: What the app's media engine says that it can do; voice alone unless given.
    ///   - configure: Changes the configuration of the app's call center, at each of its launches.
    /// - Returns: The user.
    /// - Throws: ``PhoneUserError`` when the app did not stay alive.
    public func join(
        _ name: String, device: String? = nil, closed: Bool = false,
        capabilities: MediaCapabilities = MediaCapabilities(),
        configure: @escaping @Sendable (inout CallCenter.Configuration) -> Void = { _ in }
    ) async throws -> LabUser {
        let phone = phone(device ?? name)
        let user = LabUser(name, phone: phone, lab: self, capabilities: capabilities, configure: configure)
        install(user.app, on: phone)
        phone.open(user.bundle)
        await advance(by: .seconds(1))
        if closed {
            try phone.user.close(user.bundle)
            phone.user.lock()
        } else {
            phone.user.goHome()
        }
        await advance(by: .seconds(1))
        return user
    }
}
