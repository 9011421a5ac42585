// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookPush
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
            loop.execute { self.pushEnded(call, party: party, token: nil, .unreachable(why: "no token")) }
            return
        }
        note("VoIP push to device \(device)", call: call, rule: "R105")
        let deadline = live.machine.invitation.expiresAt
        let push = InvitationPush(call: call, target: target, payload: payload, expiresAt: deadline)
        gateway.send(push, within: Duration(max(deadline - live.time.now(clock), .milliseconds(1)))) { outcome in
            self.loop.execute { self.pushEnded(call, party: party, token: target.token, outcome) }
        }
    }

    private func registration(of party: BrokerParty) -> PushRegistration? {
        let devices = (try? store.devices(of: party.user)) ?? []
        return devices.first { $0.device == party.device }?.push
    }

    private func pushEnded(_ call: CallID, party: BrokerParty, token: String?, _ outcome: PushOutcome) {
        guard !isStopped else { return }
        switch outcome {
        case .accepted:
            note("APNs took the push to device \(party.device)", call: call, rule: "R108")
        case .rejected(let reason, let reaction, let since):
            note("APNs refused the push to device \(party.device): \(reason)", call: call, rule: "R106")
            if let token { refused(token, of: party, reaction, since: since) }
        case .unreachable(let why): note("no push to device \(party.device): \(why)", call: call, rule: "race 17")
        }
        guard let live = calls[call] else { return }
        switch outcome {
        case .accepted: drive(live, .pushAccepted(device: party.device))
        case .rejected, .unreachable: drive(live, .pushFailed(device: party.device))
        }
    }

    /// Forgets a token that is dead, wrong or another app's; the device registers again when it is started.
    private func refused(_ token: String, of party: BrokerParty, _ reaction: PushReaction, since: Int64?) {
        switch reaction {
        case .checkToken, .quarantineToken, .deleteToken:
            commit()
            do {
                try store.forget(token: token, of: party, registeredBefore: since)
                try store.commit()
            } catch {
                note("the token of device \(party.device) cannot be removed: \(error.message)", rule: "R106")
            }
        case .stopCredential, .fixConfiguration:
            note("the push key or topic is set up wrongly: nothing will ring by push", rule: "R106")
        case .backOffToken, .fixSender, .renewProviderToken, .changeConnection, .freezeProviderToken, .reconnect,
            .retrySoon, .reportUnknown:
            break
        }
    }
}
