// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

extension Switchboard {
    /// Sends the invitation by VoIP push: the only thing that is ever pushed (R96, R105).
    func push(_ live: LiveCall, device: String) {
        let call = live.machine.call
        let party = BrokerParty(user: live.machine.callee, device: device)
        guard let gateway, let target = registration(of: party),
            let payload = try? PushPayload(invitation: live.machine.invitation).encoded()
        else {
            note("no push to device \(device): it has no token", call: call, rule: "race 17")
            // Not within the machine's effects: the next event, in order.
            loop.execute { self.pushEnded(call, party: party, token: nil, .failed("no token")) }
            return
        }
        note("VoIP push to device \(device)", call: call, rule: "R105")
        let push = VoIPPush(call: call, target: target, payload: payload, expiresAt: live.machine.invitation.expiresAt)
        gateway.send(push) { result in
            self.loop.execute { self.pushEnded(call, party: party, token: target.token, result) }
        }
    }

    private func registration(of party: BrokerParty) -> PushRegistration? {
        let devices = (try? store.devices(of: party.user)) ?? []
        return devices.first { $0.device == party.device }?.push
    }

    private func pushEnded(_ call: CallID, party: BrokerParty, token: String?, _ result: PushResult) {
        guard !isStopped else { return }
        switch result {
        case .accepted:
            note("APNs took the push to device \(party.device)", call: call, rule: "R108")
        case .rejected(let reason, let tokenIsDead):
            note("APNs refused the push to device \(party.device): \(reason)", call: call, rule: "R106")
            if tokenIsDead, let token {
                do {
                    try store.forget(token: token, of: party)
                } catch {
                    note("the token of device \(party.device) cannot be removed: \(error.message)")
                }
            }
        case .failed(let reason): note("no push to device \(party.device): \(reason)", call: call, rule: "race 17")
        }
        guard let live = calls[call] else { return }
        switch result {
        case .accepted: _ = drive(live, .pushAccepted(device: party.device))
        case .rejected, .failed: _ = drive(live, .pushFailed(device: party.device))
        }
    }
}
