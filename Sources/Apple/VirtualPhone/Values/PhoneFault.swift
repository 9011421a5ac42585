// SPDX-License-Identifier: MIT

/// A fault that a test can switch on; the raw names are those of the documentation (docs/faults.md).
public enum PhoneFault: Hashable, Sendable, Codable {
    // MARK: - Audio
    /// `missing-activation`: `didActivate` does not come, unless the configuration was set again before (S3).
    case missingActivation(Bool)
    /// `media-services-reset`: the media daemon restarts now (V7, R53).
    case mediaServicesReset

    // MARK: - Pushes
    /// `late-push`: from now on every push comes this much later; zero ends it (K10, P20).
    case latePushes(Duration)
    /// `duplicated-push`: the next pushes, so many, come twice (R62).
    case duplicatedPushes(Int)
    /// `reordered-push`: the next pushes, so many, are kept until they are all there, and come in reverse order (R65).
    case reorderedPushes(Int)

    // MARK: - The call daemon
    /// `slow-daemon`: reports and transactions are answered this much later; zero ends it (O1).
    case slowDaemon(Duration)
    /// `silent-daemon`: reports and transactions are taken and never answered, while it is on.
    case silentDaemon(Bool)
    /// `failed-report`: the next report fails with this code of the incoming call domain (I2).
    case failedReport(code: Int)
    /// `failed-transaction`: the next transaction is refused with this code of the request domain (T1).
    case failedTransaction(code: Int)
    /// `reordered-actions`: where Apple leaves the order open, events come in the other legal one (A1, G2, reference
    /// orders 2 and 5).
    case reorderedActions(Bool)
    /// `daemon-restart`: the call daemon restarts now: every provider is reset (P2).
    case daemonRestart

    // MARK: - Call Directory
    /// `failed-directory`: the next request of this kind fails with this error: the manager's codes 0 to 8 and 102, or
    /// a database error (D6).
    case failedDirectory(DirectoryOperation, PhoneError)
    /// `corrupt-directory`: the database is corrupt from now on, until the user resets all settings (P49).
    case corruptDirectory
    /// `crashed-extension`: the extension's process ends now, as by a crash (D6).
    case crashedExtension(extensionIdentifier: String)
    /// `silent-directory`: the manager's requests are taken and never answered, while it is on.
    case silentDirectory(Bool)

    // MARK: - The device
    /// `crash`: the app's process ends now, as by a crash; its calls stay with the system (T5).
    case crash(bundle: String)
    /// `crash-at-launch`: the app's next launches, so many, end before its main function runs.
    case crashAtLaunch(bundle: String, times: Int)
    /// `disk-full`: nothing can be stored, while it is on.
    case diskFull(Bool)
    /// `clock-jump`: the time of day jumps, forwards or backwards; timers are not moved.
    case clockJump(Duration)
}
