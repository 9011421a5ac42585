// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import CallKit
    import Foundation
    import OffhookCore

    // What CallKit is told of calls.
    extension CallKitSystem {
        func reportIncoming(_ call: CallID, _ details: CallDetails) {
            own.insert(call.uuid)
            var shown = details
            if details == PushLedger.unknownCaller { shown.displayName = options.unknownCaller }
            let update = CXCallUpdate(shown, policy)
            provider.reportNewIncomingCall(with: call.uuid, update: update) { [weak self] error in
                let failure = error.map { CallFailure(report: $0) }
                let isShown = error.map { ($0 as NSError).code == 2 } ?? true  // or lives already (I3)
                self?.enter { [weak self] in
                    if !isShown { self?.own.remove(call.uuid) }
                    self?.receiver?.receive(.reportCompleted(call, failure))
                }
            }
        }

        func reportEnded(_ call: CallID, _ reason: EndReason, at instant: Instant) {
            forget(call)
            own.insert(call.uuid)  // an earlier launch may have left it
            provider.reportCall(with: call.uuid, endedAt: instant.date, reason: reason.callKitReason)
        }

        func reportStartedConnecting(_ call: CallID, at instant: Instant) {
            if let details = outgoing.removeValue(forKey: call) {
                provider.reportCall(with: call.uuid, updated: CXCallUpdate(details, policy))  // O4
            }
            provider.reportOutgoingCall(with: call.uuid, startedConnectingAt: instant.date)
        }

        func reportConnected(_ call: CallID, at instant: Instant) {
            provider.reportOutgoingCall(with: call.uuid, connectedAt: instant.date)
        }

        func reportUpdated(_ call: CallID, _ details: CallDetails) {
            provider.reportCall(with: call.uuid, updated: CXCallUpdate(details, policy))
        }

        func forget(_ call: CallID) {
            outgoing[call] = nil
            translations[call] = nil
        }
    }
#endif
