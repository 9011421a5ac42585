// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

// Pushes, the device, and the life of apps.
extension PhoneWalk {
    mutating func deviceStep() {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: if chance(1, of: 4) { send(.device(.rebooted)) }
        case 1, 2: send(.device(.airplaneMode(chance(1, of: 3))))
        case 3: send(.fault(.latePushes(chance(1, of: 2) ? .zero : .seconds(3))))
        case 4: send(.fault(.duplicatedPushes(1)))
        case 5: send(.fault(.reorderedPushes(Int.random(in: 0...3, using: &random))))
        case 6: send(.fault(.crashAtLaunch(bundle: pick(bundles), times: 1)))
        case 7: send(.fault(.clockJump(.seconds(Int.random(in: -60...60, using: &random)))))
        case 8: send(.device(.tokenRotated(bundle: pick(bundles))))
        case 9: pass(40)
        case 10:
            let payload = Data(#"{"aps":{"alert":"x","mutable-content":1}}"#.utf8)
            send(.notificationArrived(bundle: pick(bundles), payload: payload))
        default: send(.wentHome)
        }
    }

    mutating func push(_ token: Data) {
        let payload = Data(pick(["{}", "{}", "{}", "[]", ""]).utf8)
        let expiration = chance(1, of: 2) ? nil : now.addingTimeInterval(TimeInterval(pick([-1, 5, 100])))
        send(.pushArrived(token: token, payload: payload, sentAt: nil, expiration: expiration))
    }

    /// A push to a known token is taken when its payload is good, and refused when it is not.
    mutating func judge(_ receipt: PushReceipt, of input: PhoneInput) {
        guard case .pushArrived(_, let payload, _, _) = input else { return complain("a receipt for \(input)") }
        let isGood = payload == Data("{}".utf8)
        switch receipt {
        case .delivered(let push), .waiting(let push), .kept(let push):
            if !isGood { complain("a bad push was taken") }
            if !fates.arrived(push) { complain("a push arrived twice") }
        case .dropped: if !isGood { complain("a bad push was taken") }
        case .refused: if isGood { complain("a good push was refused") }
        case .unknownToken: complain("a known token was unknown")
        }
    }

    func isSuspended(_ process: UUID) -> Bool {
        bundleOf[process].map(suspension.suspended.contains) ?? false
    }
}
