// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

extension Engine {
    func hear(_ news: SignalClient.News) {
        switch news {
        case .message(.welcome(let welcome)):
            learn(serverTime: welcome.now)
            for call in welcome.calls { catchUp(call) }
        case .message(.error(let failure)):
            streams.send(.warning(OffhookError(.refusedByServer, failure.message)))
        case .message(let body):
            if let event = body.event { receive(local(event)) }
        case .done(let body):
            if let event = body.doneEvent { receive(event) }
        case .refused(let body, let failure):
            if let event = body.refusedEvent(failure) { receive(event) }
        case .state(let state):
            streams.send(.connection(state))
        case .trouble(let status, let reason):
            let answer = status.map { "The server refused the connection with status \($0): " } ?? "No connection: "
            let code: OffhookError.Code = status == 401 || status == 403 ? .unauthorized : .serverUnreachable
            streams.send(.warning(OffhookError(code, answer + reason)))
        case .noToken(let error):
            let message = "The session token could not be had; it is asked for again."
            streams.send(.warning(OffhookError(.unauthorized, message, underlying: error)))
        }
    }

    /// Takes the server's word on one call after a connection was made (races 12, 15, 21).
    private func catchUp(_ snapshot: CallSnapshot) {
        let call = snapshot.call
        let isHere = machine.calls.contains { $0.id == call }
        switch snapshot.state {
        case .ringing:
            if isHere {
                if snapshot.outgoing { receive(.server(call, .inviteAccepted)) }
            } else if snapshot.outgoing {
                signals.send(.cancel(call: call))  // R88: made by an earlier launch
            } else if let invitation = snapshot.invitation {
                receive(.invited(local(invitation)))
            }
        case .answered:
            if isHere { receive(.server(call, .answered)) } else { signals.send(.hangup(call: call, reason: .failed)) }
        case .ended:
            receive(.server(call, .ended(snapshot.reason ?? .remoteEnded)))
        case .unknown:
            if isHere { receive(.server(call, .ended(.failed))) }
        }
    }

    // MARK: - Two clocks

    /// The least difference of the clocks that is corrected; less than that is the message's own way.
    static let leastSkew: Duration = .seconds(5)

    private func learn(serverTime: Instant) {
        let difference = serverTime - clock.now
        let isWorthIt = difference >= Engine.leastSkew || difference <= .zero - Engine.leastSkew
        skew = isWorthIt ? difference : .zero
    }

    /// The invitation with its times by this device's clock: one that is set wrongly must not make calls look old.
    func local(_ invitation: Invitation) -> Invitation {
        var invitation = invitation
        invitation.issuedAt = invitation.issuedAt - skew
        invitation.expiresAt = invitation.expiresAt - skew
        return invitation
    }

    private func local(_ event: PhoneMachine.Event) -> PhoneMachine.Event {
        if case .invited(let invitation) = event { .invited(local(invitation)) } else { event }
    }
}
