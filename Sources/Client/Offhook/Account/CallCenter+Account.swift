// SPDX-License-Identifier: MIT

public import OffhookCore

/// Who uses the app on this device (R90).
///
/// An app whose user never changes needs none of this: the configuration's session token is all. An app with users that
/// come and go calls ``signIn(account:token:)`` at every launch and after every sign-in, and ``signOut()``. Who is signed
/// in is kept, so that a push that launches the app finds the right user's calls before the app's code says who it is.
extension CallCenter {
    /// Says who uses the app, and how to get that user's session tokens.
    ///
    /// The user that is signed in already goes on as before, with the new token: after the server refused the old one it
    /// is connected anew at once. For another user, a new stay begins: the present user's live calls end, the server
    /// forgets the push token for that user, and then checkpoint, journal, operations and connection are the new user's
    /// alone. Operations and cursors of the earlier stay are answered with a mismatch and a gap.
    ///
    /// - Parameters:
    ///   - account: The user's id at the server, 1 to 128 bytes without a line's end.
    ///   - token: Gives the session token for each connection; called on the engine queue, returns at once.
    /// - Returns: The user's stay on this device. Before ``start()``, it returns after the start.
    @discardableResult
    public func signIn(account: String, token: @escaping @Sendable () throws -> String) async -> AccountGeneration {
        await engine.change(to: account, token: token)
    }

    /// Ends the user's stay: live calls end, the push token is given back, the connection is closed.
    ///
    /// Pushes that come nevertheless are reported, as they must be, and ended at once. The configuration's session token
    /// is not used any more. Without a connection the server hears nothing of it, and at most 5 s are waited for it.
    public func signOut() async {
        _ = await engine.change(to: nil, token: nil)
    }

    /// What is known of an operation (R85).
    ///
    /// - Parameters:
    ///   - operation: The operation's id.
    ///   - generation: The stay in which it was given; nil is the present one.
    /// - Returns: Its result, also of an earlier launch, for 24 hours; `generationMismatch` for another user's stay, of
    ///   which nothing is told.
    public func operation(_ operation: OperationID, of generation: AccountGeneration? = nil) -> OperationLookup {
        engine.lookUp(operation, generation)
    }
}
