// SPDX-License-Identifier: MIT

/// The faults of a ``VirtualPhone`` that a test can switch on: each ``PhoneFault`` by its name.
public struct Faults: Sendable {
    let phone: VirtualPhone

    /// Switches a fault.
    public func apply(_ fault: PhoneFault) {
        phone.handle(.fault(fault))
    }

    /// Lets the next report of an incoming call fail with a code of the incoming call domain (I2).
    public func failNextReport(code: Int) {
        apply(.failedReport(code: code))
    }

    /// Lets the next transaction be refused with a code of the request domain (T1).
    public func failNextTransaction(code: Int) {
        apply(.failedTransaction(code: code))
    }

    /// Ends an app's process as a crash does; its calls stay with the system (T5).
    ///
    /// - Parameter bundle: The app; one that does not run stays as it is.
    public func crash(_ bundle: String) {
        apply(.crash(bundle: bundle))
    }

    /// Restarts the call daemon: every provider is reset (P2).
    public func restartDaemon() {
        apply(.daemonRestart)
    }

    /// Lets the next request to the Call Directory fail: with a code of the manager, 0 to 8 or 102 (D6).
    public func failNextDirectory(_ operation: DirectoryOperation, code: Int) {
        apply(.failedDirectory(operation, PhoneErrors.directory(code)))
    }

    /// Lets the next request to the Call Directory fail with a code of its database: 11 or 19 (D6, D10).
    public func failNextDirectory(_ operation: DirectoryOperation, databaseCode: Int) {
        apply(.failedDirectory(operation, PhoneErrors.directoryDatabase(databaseCode)))
    }

    /// Corrupts the Call Directory's database, until the user resets all settings (P49).
    public func corruptDirectory() {
        apply(.corruptDirectory)
    }

    /// Ends a Call Directory extension's process as a crash does.
    ///
    /// - Parameter extensionIdentifier: The extension; one that is not being loaded stays as it is.
    public func crashExtension(_ extensionIdentifier: String) {
        apply(.crashedExtension(extensionIdentifier: extensionIdentifier))
    }

    /// Keeps `didActivate` from coming, from now on (S3).
    public func dropAudioActivation(_ drops: Bool) {
        apply(.missingActivation(drops))
    }

    /// Restarts the media daemon: audio stops, and every session has its defaults (R53).
    public func resetMediaServices() {
        apply(.mediaServicesReset)
    }

    /// Lets the call daemon answer reports and transactions so much later; zero ends it (I1, O1).
    public func slowDaemon(by delay: Duration) {
        apply(.slowDaemon(delay))
    }

    /// Keeps the call daemon from answering reports and transactions; what it took is not answered later (I1, O1).
    public func silenceDaemon(_ isSilent: Bool) {
        apply(.silentDaemon(isSilent))
    }

    /// Takes the other legal order of events where Apple leaves it open (A1, G2).
    public func reorderActions(_ reorders: Bool) {
        apply(.reorderedActions(reorders))
    }

    /// Keeps the Call Directory from answering its manager; what it took is not answered later (D6).
    public func silenceDirectory(_ isSilent: Bool) {
        apply(.silentDirectory(isSilent))
    }

    /// Lets the next launches of an app end before its main function runs; a push waits for one that works (P07).
    public func crashAtLaunch(_ bundle: String, times: Int = 1) {
        apply(.crashAtLaunch(bundle: bundle, times: times))
    }

    /// Delays every push from now on; zero ends it, and lets through what is delayed (K10, P20).
    public func delayPushes(by delay: Duration) {
        apply(.latePushes(delay))
    }

    /// Lets the next pushes, so many, come twice (R62).
    public func duplicatePushes(_ count: Int = 1) {
        apply(.duplicatedPushes(count))
    }

    /// Keeps the next pushes, so many, until all are there; then they come in reverse order (R65).
    public func reorderPushes(_ count: Int = 2) {
        apply(.reorderedPushes(count))
    }

    /// Fills the phone's disk, or empties it: see docs/faults.md for what fails then.
    public func fillDisk(_ isFull: Bool) {
        apply(.diskFull(isFull))
    }

    /// Moves the time of day as apps see it; timers and deadlines stay (T6).
    public func jumpClock(by jump: Duration) {
        apply(.clockJump(jump))
    }
}
