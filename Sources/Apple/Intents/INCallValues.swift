// SPDX-License-Identifier: MIT

/// Whether a call has video.
public enum INCallCapability: Int, Sendable {
    /// Not said.
    case unknown = 0
    /// Voice.
    case audioCall = 1
    /// Voice and video.
    case videoCall = 2
}

/// What kind of destination is called.
public enum INCallDestinationType: Int, Sendable {
    /// Not said.
    case unknown = 0
    /// Somebody.
    case normal = 1
    /// Emergency services.
    case emergency = 2
    /// The voice mailbox.
    case voicemail = 3
    /// Whoever was called last.
    case redial = 4
    /// Whoever called last.
    case callBack = 5
}

/// Where a call is heard.
public enum INCallAudioRoute: Int, Sendable {
    /// Not said.
    case unknown = 0
    /// The speaker.
    case speakerphoneAudioRoute = 1
    /// A Bluetooth device.
    case bluetoothAudioRoute = 2
}

/// A kind of call in the call history.
public enum INCallRecordType: Int, Sendable {
    /// Not said.
    case unknown = 0
    /// A call from this phone.
    case outgoing = 1
    /// A call nobody answered.
    case missed = 2
    /// A call that was answered here.
    case received = 3
    /// The last call.
    case latest = 4
    /// A voice message.
    case voicemail = 5
    /// A call that rings.
    case ringing = 6
    /// A call that goes on.
    case inProgress = 7
    /// A held call.
    case onHold = 8
}

/// Who acted in an interaction.
public enum INInteractionDirection: Int, Sendable {
    /// Not said.
    case unspecified = 0
    /// The user.
    case outgoing = 1
    /// Somebody else.
    case incoming = 2
}

/// How far an intent was handled.
public enum INIntentHandlingStatus: Int, Sendable {
    /// Not said.
    case unspecified = 0
    /// About to be handled.
    case ready = 1
    /// Being handled.
    case inProgress = 2
    /// Done.
    case success = 3
    /// Not done.
    case failure = 4
    /// The app is opened for it.
    case deferredToApplication = 5
    /// The user is asked first.
    case userConfirmationRequired = 6
}
