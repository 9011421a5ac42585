// SPDX-License-Identifier: MIT

import Foundation

// DTS6, K10, R55, R78, R132, P09: the device itself.
extension PhoneCore {
    mutating func handle(_ input: DeviceInput) {
        switch input {
        case .rebooted: reboot()
        case .airplaneMode(let isOn): setAirplaneMode(isOn)
        case .region(let region):
            device.region = region.uppercased()
            log(.user, "set the region", rule: "R132")
        case .tokenRotated(let bundle): rotateToken(of: bundle)
        case .passcode(let isSet):
            device.hasPasscode = isSet
            if !isSet { device.keychain.removeAll { $0.item.accessible == "akpu" } }
            log(.user, isSet ? "set a passcode" : "removed the passcode", rule: "R79")
        }
    }

    /// R78: every process ends, no call is left, and nothing protected can be read before the first unlock.
    private mutating func reboot() {
        log(.user, "switched the phone off and on", rule: "R78")
        for call in calls { finish(call.uuid, outcome: .failed, rule: "R78") }
        for bundle in apps.keys.sorted() {
            die(bundle, rule: nil, code: "rebooted", message: "The phone was switched off.")
        }
        for record in device.extensionRequests { endExtension(record.process) }
        device.extensionRequests = []
        isLocked = true
        device.wasUnlocked = false
    }

    /// The first unlock after a start: what was kept for it goes on (DTS6).
    mutating func firstUnlock() {
        guard !device.wasUnlocked else { return }
        device.wasUnlocked = true
        log(.phone, "first unlock after the start", rule: "R78")
        releaseKept { $0.reason == .firstUnlock }
    }

    private mutating func setAirplaneMode(_ isOn: Bool) {
        guard device.isInAirplaneMode != isOn else { return }
        device.isInAirplaneMode = isOn
        log(.user, isOn ? "switched airplane mode on" : "switched airplane mode off", rule: "K10")
        if !isOn { releaseKept { $0.reason == .offline } }
    }

    /// R55: APNs gave the app another token; the old one is dead.
    private mutating func rotateToken(of bundle: String) {
        guard apps[bundle]?.token != nil else { return }
        let token = random.data(settings.pushTokenLength)
        apps[bundle]?.token = token
        log(.apns, "push token rotated", rule: "R55", app: bundle)
        guard let process = process(of: bundle) else { return }
        for registry in process.registries where registry.types.contains(PhoneCore.voIP) {
            deliver(.pushCredentials(registry: registry.id, type: PhoneCore.voIP, token: token), to: process.id)
        }
    }

    // MARK: - Protected data

    /// Whether what is protected until unlock can be read now (R78, R79).
    var isProtectedDataAvailable: Bool {
        !isLocked || !device.hasPasscode
    }

    /// Whether what is protected until the first unlock can be read now (R78).
    var wasProtectedDataAvailable: Bool {
        device.wasUnlocked || !device.hasPasscode
    }

    /// Lets the containers follow lock and unlock.
    mutating func updateProtection() {
        if isProtectedDataAvailable, wasProtectedDataAvailable, device.protectedContainers == DeviceState.allReadable {
            return
        }
        let closed = apps.values.filter { record in
            switch record.app.dataProtection {
            case .none: false
            case .untilFirstUnlock: !wasProtectedDataAvailable
            case .complete: !isProtectedDataAvailable
            }
        }
        let wanted = StorageEffect.protect(
            containers: Set(closed.map(\.app.bundleIdentifier)), groups: !wasProtectedDataAvailable)
        guard device.protectedContainers != wanted else { return }
        device.protectedContainers = wanted
        outcome.effects.append(.storage(wanted))
    }

    /// What an app leaves when it is removed or installed again: not its container; its keychain items stay (R79).
    mutating func forgetApp(_ bundle: String) {
        dropKept(of: bundle)
        for left in apps[bundle]?.leftPushes ?? [] { device.receipts[left.id] = .dropped }
        for record in device.extensionRequests where record.content.app == bundle { endExtension(record.process) }
        device.extensionRequests.removeAll { $0.content.app == bundle }
        outcome.effects.append(.storage(.erase(bundle: bundle)))
    }

    // MARK: - Region

    /// R132, P47: in mainland China an app must not use CallKit, and so not PushKit's VoIP pushes.
    mutating func judgeRegion(_ request: AppRequest, of process: UUID) {
        guard settings.forbidsCallKitInChina, device.region == "CN", let bundle = processes[process]?.bundle else {
            return
        }
        let made: String
        switch request {
        case .createProvider: made = "a CXProvider was created"
        case .createPushRegistry: made = "a PKPushRegistry was created"
        case .observeCalls: made = "a CXCallController or CXCallObserver was created"
        default: return
        }
        violate(
            "R132", "\(made) in the region CN",
            advice: "Look at the region first: use ordinary notifications and your own call screen there.", app: bundle)
    }
}
