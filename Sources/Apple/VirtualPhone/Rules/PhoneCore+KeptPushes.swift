// SPDX-License-Identifier: MIT

package import Foundation

// K10, DTS6, P20, R62, R65: pushes that come later, twice, in another order, or not at all.
//
// A push passes APNs (airplane mode, expiration), the faults, and the first unlock, in this order; then the app gets it.
extension PhoneCore {
    /// A push that APNs has taken, on its way to the phone.
    mutating func arrive(_ push: LeftPush, for bundle: String, expiration: Date?) -> PushReceipt {
        guard device.isInAirplaneMode else { return reach(push, for: bundle) }
        log(.apns, "the phone cannot be reached: the push is kept", rule: "K10", app: bundle)
        let stored = device.keptPushes.filter { $0.bundle == bundle && $0.reason == .offline }
        for old in stored.dropLast(max(0, settings.pushesStoredOffline - 1)) {
            drop(old, "a newer push took its place")
        }
        guard settings.pushesStoredOffline > 0 else { return settle(push.id, .dropped) }
        let limit = expiration.map { max($0, date(after: settings.expiredPushLateness)) }
        device.keptPushes.append(
            KeptPush(push: push, bundle: bundle, reason: .offline, due: limit, expiration: limit))
        return settle(push.id, .kept(push: push.id))
    }

    /// A push that reaches the phone: the faults bend its way.
    private mutating func reach(_ push: LeftPush, for bundle: String) -> PushReceipt {
        if faults.latePushes > .zero {
            log(.apns, "fault: the push comes later", rule: "K10", app: bundle)
            device.keptPushes.append(
                KeptPush(push: push, bundle: bundle, reason: .late, due: date(after: faults.latePushes)))
            return settle(push.id, .kept(push: push.id))
        }
        if faults.reorderedPushes > 0 {
            log(.apns, "fault: the push waits for others to overtake it", rule: "R65", app: bundle)
            device.keptPushes.append(KeptPush(push: push, bundle: bundle, reason: .reordered))
            let receipt = settle(push.id, .kept(push: push.id))
            faults.reorderedPushes -= 1
            if faults.reorderedPushes == 0 { releaseReordered() }
            return device.receipts[push.id] ?? receipt
        }
        return duplicate(push, for: bundle)
    }

    private mutating func duplicate(_ push: LeftPush, for bundle: String) -> PushReceipt {
        let receipt = enter(push, for: bundle)
        guard faults.duplicatedPushes > 0 else { return receipt }
        faults.duplicatedPushes -= 1
        log(.apns, "fault: the push comes a second time", rule: "R62", app: bundle)
        _ = enter(LeftPush(id: random.uuid(), payload: push.payload, sentAt: push.sentAt), for: bundle)
        return receipt
    }

    /// DTS6: before the first unlock apps may not be launched; some pushes are kept, the others dropped.
    private mutating func enter(_ push: LeftPush, for bundle: String) -> PushReceipt {
        log(.apns, "VoIP push arrived", rule: "K1", app: bundle)
        guard !wasProtectedDataAvailable, !settings.launchesBeforeFirstUnlock else { return hand(push, to: bundle) }
        let kept = device.keptPushes.filter { $0.reason == .firstUnlock }
        guard kept.count < settings.pushesKeptUntilFirstUnlock else {
            log(.phone, "dropped the push: too many before the first unlock", rule: "DTS6", app: bundle)
            return settle(push.id, .dropped)
        }
        log(.phone, "kept the push until the first unlock", rule: "DTS6", app: bundle)
        device.keptPushes.append(KeptPush(push: push, bundle: bundle, reason: .firstUnlock))
        return settle(push.id, .kept(push: push.id))
    }

    /// What became of a push, as far as is known now; nil for one that is long forgotten.
    package func receipt(of push: UUID) -> PushReceipt? {
        device.receipts[push]
    }

    /// Notes what became of a push.
    @discardableResult
    mutating func settle(_ push: UUID, _ receipt: PushReceipt) -> PushReceipt {
        device.receipts[push] = receipt
        return receipt
    }

    // MARK: - What was kept goes on

    /// The moment of a kept push: a late one comes, one past its expiration is thrown away.
    mutating func releaseKept(_ id: UUID) {
        guard let index = device.keptPushes.firstIndex(where: { $0.push.id == id }) else { return }
        let kept = device.keptPushes[index]
        guard kept.reason != .offline else { return drop(kept, "it expired while the phone could not be reached") }
        device.keptPushes.remove(at: index)
        goOn(kept)
    }

    /// What kept these pushes is over: they come in their order.
    mutating func releaseKept(where isReleased: (KeptPush) -> Bool) {
        let released = device.keptPushes.filter(isReleased)
        device.keptPushes.removeAll(where: isReleased)
        for kept in released { goOn(kept) }
    }

    private mutating func goOn(_ kept: KeptPush) {
        guard apps[kept.bundle]?.token != nil else { return _ = settle(kept.push.id, .dropped) }
        switch kept.reason {
        case .offline: _ = reach(kept.push, for: kept.bundle)
        case .late, .reordered: _ = duplicate(kept.push, for: kept.bundle)
        case .firstUnlock: _ = hand(kept.push, to: kept.bundle)
        }
    }

    private mutating func drop(_ kept: KeptPush, _ why: String) {
        device.keptPushes.removeAll { $0.push.id == kept.push.id }
        log(.apns, "threw the push away: \(why)", rule: "K10", app: kept.bundle)
        settle(kept.push.id, .dropped)
    }

    /// The app or its token is gone, and its pushes with it.
    mutating func dropKept(of bundle: String) {
        for kept in device.keptPushes where kept.bundle == bundle { drop(kept, "its token is dead") }
    }

    // MARK: - Faults

    mutating func delayPushes(_ delay: Duration) {
        faults.latePushes = max(.zero, delay)
        if faults.latePushes == .zero { releaseKept { $0.reason == .late } }
    }

    mutating func reorderPushes(_ count: Int) {
        faults.reorderedPushes = max(0, count)
        if faults.reorderedPushes == 0 { releaseReordered() }
    }

    private mutating func releaseReordered() {
        let waiting = device.keptPushes.filter { $0.reason == .reordered }
        device.keptPushes.removeAll { $0.reason == .reordered }
        for kept in waiting.reversed() { goOn(kept) }
    }
}
