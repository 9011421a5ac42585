// SPDX-License-Identifier: MIT

public import OffhookCore

/// What the app is told, in the order in which it happened.
public enum CallEvent: Sendable {
    /// The live calls; the first element of every stream.
    case snapshot([Call])
    /// A call came to be, changed or ended; an ended call comes once.
    case changed(Call)
    /// What became of an invitation; the call is nil when it could not be read (R67).
    case invitation(InvitationOutcome, CallID?)
    /// How the signaling connection stands now; the second element of every stream.
    case connection(ConnectionState)
    /// CallKit opened (true) or closed the audio window.
    case audio(open: Bool)
    /// The ways for the sound changed (R51).
    case routes(AudioRoutes)
    /// Whether what must outlive the process is on the disk; comes at the beginning of every stream, too.
    case storage(StorageState)
    /// Another user's stay began, or the user signed out (R90); nothing of the earlier stay is told any more.
    case account(AccountGeneration, isSignedIn: Bool)
    /// Something is wrong that no command reports, such as a media engine that cannot work.
    case warning(OffhookError)
}

/// How the signaling connection stands.
public enum ConnectionState: String, Hashable, Sendable, Codable {
    /// Not connected; the next attempt has its time.
    case offline
    /// On its way.
    case connecting
    /// The server knows the device.
    case online
    /// The server refuses the session token; it is asked for again at the next attempt.
    case unauthorized
    /// Another connection of this device took over; this one comes back when a push or a command needs it.
    case replaced
    /// The server signed this device out; it comes back when a push or a command needs it, with a new session token.
    case signedOut
}
