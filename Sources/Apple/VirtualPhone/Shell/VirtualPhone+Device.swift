// SPDX-License-Identifier: MIT

public import Foundation

// The device: its power, its radios, its region, its storage (R78, R79, K10, R132).
extension VirtualPhone {
    /// Switches the phone off and on: every process ends, no call is left, and it is locked.
    ///
    /// Until the first unlock nothing protected can be read (R78), and apps are not launched for pushes unless
    /// ``PhoneSettings/launchesBeforeFirstUnlock`` says so (DTS6).
    public func reboot() {
        handle(.device(.rebooted))
    }

    /// Switches airplane mode: no push reaches the phone, and APNs keeps what it may (K10, P20).
    ///
    /// An app's own connections are not the phone's; a test cuts them itself.
    public func setAirplaneMode(_ isOn: Bool) {
        handle(.device(.airplaneMode(isOn)))
    }

    /// Sets the region, as ISO 3166; in `CN` an app that creates CallKit's or PushKit's objects breaks R132.
    public func setRegion(_ region: String) {
        handle(.device(.region(region)))
    }

    /// Sets or removes the phone's passcode; without one nothing is protected by the lock (R79).
    public func setPasscode(_ isSet: Bool) {
        handle(.device(.passcode(isSet)))
    }

    /// Gives an app another push token, which its delegate is told; the old one is dead (R55).
    public func rotateToken(of bundle: String) {
        handle(.device(.tokenRotated(bundle: bundle)))
    }

    /// What became of a push that was kept or waited; nil when the phone does not know it.
    public func receipt(of push: UUID) -> PushReceipt? {
        state.withLock { $0.core.receipt(of: push) }
    }

    /// Takes an ordinary notification from APNs; one with `mutable-content` 1 goes to the app's extension (K12).
    ///
    /// - Parameters:
    ///   - bundle: The app.
    ///   - payload: A JSON object in UTF-8 of at most 4,096 bytes.
    /// - Returns: What became of it; what the extension makes of it is in ``notifications`` later.
    @discardableResult
    public func receiveNotification(for bundle: String, payload: Data) -> NotificationReceipt {
        handle(.notificationArrived(bundle: bundle, payload: payload)).notification ?? .notDelivered
    }

    /// The directory of an app's files: a real one, which lives until the app is removed or the phone is shut down.
    ///
    /// While its files cannot be read (``App/dataProtection``), each is replaced by a directory of its name: it exists,
    /// and reading it fails with EISDIR, where a missing file fails with ENOENT (R78). Files made meanwhile are lost at
    /// the unlock when their name is that of a protected one.
    /// - Returns: nil when the app is not installed, or the directory cannot be made.
    public func container(of bundle: String) -> URL? {
        guard state.withLock({ $0.core.apps[bundle] }) != nil else { return nil }
        return containers.app(bundle)
    }

    /// The directory of an App Group, which apps of the group share; its files are protected until the first unlock.
    public func container(ofGroup group: String) -> URL? {
        containers.group(path: group.replacingOccurrences(of: "/", with: "_"))
    }
}

extension VirtualPhone {
    /// The phone's time of day as apps see it: fault `clock-jump` moves it.
    public var timeOfDay: Date {
        now.moved(by: state.withLock { $0.core.faults.clockJump })
    }

    /// A process's own directory, or that of a group its app belongs to.
    public func container(of process: AppProcess, group: String?) -> URL? {
        let bundle = process.bundleIdentifier
        let isExtension = bundle.hasSuffix(PhoneCore.extensionSuffix)
        let app = isExtension ? String(bundle.dropLast(PhoneCore.extensionSuffix.count)) : bundle
        guard let record = state.withLock({ $0.core.apps[app] }) else { return nil }
        guard let group else { return containers.app(bundle) }
        return record.app.appGroups.contains(group) ? container(ofGroup: group) : nil
    }

    func apply(_ effect: StorageEffect) {
        switch effect {
        case .erase(let bundle):
            containers.erase(bundle)
            containers.erase(bundle + PhoneCore.extensionSuffix)
        case .protect(let bundles, let groups): containers.protect(bundles, groups: groups)
        }
    }
}
