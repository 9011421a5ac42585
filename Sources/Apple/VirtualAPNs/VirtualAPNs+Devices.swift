// SPDX-License-Identifier: MIT

import OffhookNet

extension VirtualAPNs {
    /// Gives a device token to an app on a device; a token registered before moves to the new one.
    ///
    /// - Parameters:
    ///   - token: Hexadecimal of any even length.
    ///   - bundle: The app's bundle id.
    ///   - environment: The environment the app was signed for; usually the gateway's own.
    ///   - kind: What the token is for.
    ///   - deliver: Gets each accepted push, on the gateway's thread, in the order of acceptance.
    public func register(
        token: String, bundle: String, environment: APNsEnvironment, kind: DeviceTokenKind = .voip,
        deliver: @escaping @Sendable (Delivery) -> Void
    ) {
        let device = DeviceRegistry.Device(
            bundleID: bundle, environment: environment, kind: kind, deliver: deliver, dead: nil)
        state.withLock { $0.devices.register(token, device) }
    }

    /// Makes a token dead: pushes to it are refused with status 410 and the time.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - reason: Apple's word for why.
    ///   - milliseconds: Since when, milliseconds since 1970; nil: now.
    public func unregister(token: String, reason: DeadTokenReason = .unregistered, since milliseconds: Int64? = nil) {
        let since = milliseconds ?? now
        state.withLock { $0.devices.retire(token, reason: reason, since: since) }
    }

    /// Forgets a token as if it had never been given out: pushes to it are refused with BadDeviceToken.
    public func forget(token: String) {
        state.withLock { $0.devices.forget(token) }
    }

    /// Lets a token's device go out of reach or come back.
    ///
    /// While it is away an accepted push with an expiration waits for it, and takes the place of one that waited
    /// before: APNs keeps one a device and app. A push with expiration 0 is thrown away. What waits is delivered when the
    /// device comes back, unless its time is over by then; without an expiration that is after 30 days.
    public func setAway(_ isAway: Bool, token: String) {
        guard let stored = state.withLock({ $0.devices.setAway(isAway, token) }) else { return }
        loop.execute { self.release(stored) }
    }

    /// Delivers what waited for a device that has come back; on the gateway's thread.
    private func release(_ stored: DeviceRegistry.Stored) {
        let delivery = stored.delivery
        guard stored.until > now else { return tell(.expired(delivery), connection: stored.connection) }
        arrive(delivery, connection: stored.connection)
    }

    /// Hands an accepted push to its device, or keeps it; on the gateway's thread.
    func arrive(_ delivery: Delivery, connection: Int) {
        let now = now
        switch state.withLock({ $0.devices.arrive(delivery, connection: connection, at: now) }) {
        case .deliver(let deliver):
            deliver(delivery)
            tell(.delivered(delivery), connection: connection)
        case .stored(let replaced): tell(.stored(delivery, replacing: replaced), connection: connection)
        case .missed: tell(.missed(delivery), connection: connection)
        case .nobody: break
        }
    }

    /// Every token that is registered, in the order of the tokens.
    public var registrations: [TokenRegistration] {
        state.withLock { state in
            state.devices.devices.sorted { $0.key < $1.key }.map { token, device in
                TokenRegistration(
                    token: token, bundleID: device.bundleID, environment: device.environment, kind: device.kind,
                    isAway: device.isAway, deadReason: device.dead?.reason, waitingPush: device.stored?.delivery.id)
            }
        }
    }
}

/// What the gateway knows of one device token.
public struct TokenRegistration: Hashable, Sendable {
    /// The token in lower-case hexadecimal.
    public var token: String
    /// The app it was given to.
    public var bundleID: String
    /// The environment the app was signed for.
    public var environment: APNsEnvironment
    /// What it is for.
    public var kind: DeviceTokenKind
    /// Whether the device is out of reach.
    public var isAway: Bool
    /// Why the token is dead; nil: it is not.
    public var deadReason: DeadTokenReason?
    /// The id of the push that waits for the device to come back.
    public var waitingPush: String?
}
