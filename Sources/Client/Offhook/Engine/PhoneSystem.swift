// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore

/// The phone's frameworks as the engine uses them; every method is called on the engine queue and returns at once.
protocol PhoneSystem: AnyObject {
    /// Whether calls go through the phone's own call screen; true unless said otherwise.
    var isNative: Bool { get }

    /// Sets the delegates and asks for pushes; events come from now on.
    func begin(_ receiver: any PhoneReceiver)
    /// Gives everything back; nothing comes any more.
    func invalidate()

    func reportIncoming(_ call: CallID, _ details: CallDetails)
    func reportEnded(_ call: CallID, _ reason: EndReason, at instant: Instant)
    func reportStartedConnecting(_ call: CallID, at instant: Instant)
    func reportConnected(_ call: CallID, at instant: Instant)
    func request(_ request: CallRequest)
    func fulfil(_ action: ActionID)
    func fail(_ action: ActionID)
    func reportUpdated(_ call: CallID, _ details: CallDetails)
    func configureAudio() throws
    /// Sends the sound another way.
    ///
    /// - Throws: What the audio session says, or that there is no such route.
    func selectRoute(_ route: AudioRoute.ID) throws
    func donate(_ call: CallID, _ details: CallDetails, _ direction: Call.Direction)
    func completePush(_ push: PushID)

    /// Changes how calls look.
    func change(_ options: CallCenter.ProviderOptions)
    /// Asks the user for what was not decided yet; answers on the engine queue.
    func requestPermissions(video: Bool, _ done: @escaping @Sendable (CallPermissions) -> Void)
    /// Takes an ordinary notification's payload; false when it is none of a call, or calls come by PushKit.
    func receiveNotification(_ payload: [UInt8]) -> Bool
}

extension PhoneSystem {
    var isNative: Bool { true }
}

/// The engine as the frameworks' callbacks see it; every method is called on the engine queue.
protocol PhoneReceiver: AnyObject {
    /// Takes an event and carries out its effects before it returns.
    func receive(_ event: PhoneMachine.Event)
    /// Takes a push: its payload as JSON, nil when it is none.
    func receivePush(_ push: PushID, payload: [UInt8]?, mustReport: Bool)
    /// Takes the push token in hexadecimal; nil when it is dead (R55, K2).
    func receiveToken(_ token: String?)
    /// The phone was unlocked: what could not be read before can be read now (R78, R79).
    func receiveUnlocked()
}

extension CallID {
    /// The identifier of a UUID.
    init(_ uuid: UUID) {
        let (high, low) = uuid.numbers
        self.init(high: high, low: low)
    }

    /// The identifier as Foundation's UUID.
    var uuid: UUID { UUID(high, low) }
}

extension OperationID {
    /// The identifier of a UUID.
    init(_ uuid: UUID) {
        let (high, low) = uuid.numbers
        self.init(high: high, low: low)
    }
}

extension ActionID {
    init(_ uuid: UUID) {
        let (high, low) = uuid.numbers
        self.init(high: high, low: low)
    }

    var uuid: UUID { UUID(high, low) }
}

extension UUID {
    fileprivate var numbers: (UInt64, UInt64) {
        withUnsafeBytes(of: uuid) { bytes in
            let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return (high, low)
        }
    }

    fileprivate init(_ high: UInt64, _ low: UInt64) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { bytes in
            for index in 0..<8 {
                bytes[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
                bytes[8 + index] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
            }
        }
        self.init(uuid: value)
    }
}
