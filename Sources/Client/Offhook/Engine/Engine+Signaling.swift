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
            tellWarning(OffhookError(.refusedByServer, failure.message))
        case .message(let body):
            if let event = body.event { receive(local(event)) }
        case .done(let body):
            if let event = body.doneEvent { receive(event) }
            if let event = body.deliveredEvent { receive(event) }
        case .refused(let body, let failure):
            if let event = body.refusedEvent(failure) { receive(event) }
            if let event = body.deliveredEvent { receive(event) }  // heard, and of no use there any more
        case .state(let state):
            log(.info, "connection: \(state.rawValue)")
            streams.send(.connection(state))
        case .trouble(let status, let reason):
            let answer = status.map { "The server refused the connection with status \($0): " } ?? "No connection: "
            let code: OffhookError.Code = status == 401 || status == 403 ? .unauthorized : .serverUnreachable
            tellWarning(OffhookError(code, answer + reason))
        case .noToken(let error):
            let message = "The session token could not be had; it is asked for again."
            tellWarning(OffhookError(.unauthorized, message, underlying: error))
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
    static let leastSkew: TimeSpan = .seconds(5)

    private func learn(serverTime: Instant) {
        let difference = serverTime - clock.now
        let isWorthIt = difference >= Engine.leastSkew || difference <= .zero - Engine.leastSkew
        let change = (isWorthIt ? difference : .zero) - machine.serverAhead
        isTimeKnown = true
        machine.serverAhead = machine.serverAhead + change
        // A cold launch judges by it, before there is a connection.
        if change >= Engine.leastSkew || change <= .zero - Engine.leastSkew { _ = save() }
    }

    /// The invitation with its times by this device's clock: one that is set wrongly must not make calls look old.
    ///
    /// What an earlier process learnt may not be so any more: somebody may have set the clock. Until the server is heard,
    /// that reading counts by which the invitation was made nearer to now.
    func local(_ invitation: Invitation) -> Invitation {
        let skew = machine.serverAhead
        if !isTimeKnown {
            let (plain, corrected) = (invitation.issuedAt - clock.now, invitation.issuedAt - skew - clock.now)
            if max(plain, .zero - plain) <= max(corrected, .zero - corrected) { return invitation }
        }
        var invitation = invitation
        invitation.issuedAt = invitation.issuedAt - skew
        invitation.expiresAt = invitation.expiresAt - skew
        return invitation
    }

    private func local(_ event: PhoneMachine.Event) -> PhoneMachine.Event {
        if case .invited(let invitation) = event { .invited(local(invitation)) } else { event }
    }
}
