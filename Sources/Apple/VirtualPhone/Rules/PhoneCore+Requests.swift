// SPDX-License-Identifier: MIT

import Foundation

extension PhoneCore {
    /// Answers a process; a process that is not running gets nothing.
    mutating func answer(_ request: AppRequest, from process: UUID) -> AppReply {
        guard let record = processes[process] else { return answerExtension(request, from: process) }
        if record.isSuspended, let reply = frozenAnswer(to: request, of: process) { return reply }
        judgeRegion(request, of: process)
        let request = request.shifted(by: .zero - faults.clockJump)
        note(request, from: process)
        return keeps(request, of: process) ? .done : carryOut(request, of: process)
    }

    /// What the app did, at the moment it did it, however slow the daemon is.
    private mutating func note(_ request: AppRequest, from process: UUID) {
        switch request {
        case .reportNewIncomingCall(let provider, let call, _, _):
            noteReport(of: call, provider: provider, process: process)
        case .requestTransaction(_, let transaction): noteRequest(transaction, process: process)
        default: break
        }
    }

    mutating func carryOut(_ request: AppRequest, of process: UUID) -> AppReply {
        switch request {
        case .createProvider(let provider, let configuration):
            createProvider(provider, configuration: configuration, of: process)
        case .configureProvider(let provider, let configuration):
            configureProvider(provider, configuration: configuration, of: process)
        case .setProviderDelegate(let provider, let present):
            setDelegate(of: provider, present: present, process: process)
        case .invalidateProvider(let provider): invalidate(provider, of: process)
        case .releaseProvider(let provider): release(provider, of: process)
        case .providerDelegateReleased(let provider): delegateReleased(of: provider, process: process)
        case .delegateMethodMissing(let provider, let method, let consequence):
            delegateMethodMissing(method, consequence: consequence, provider: provider, process: process)
        case .reportNewIncomingCall(let provider, let call, let update, let report):
            reportIncoming(call, update: update, report: report, provider: provider, process: process)
        case .reportCallUpdated(let provider, let call, let update):
            reportUpdated(call, update: update, provider: provider, process: process)
        case .reportCallEnded(let provider, let call, let date, let reason):
            reportEnded(call, date: date, reason: reason, provider: provider, process: process)
        case .reportOutgoingCallStartedConnecting(let provider, let call, _):
            reportStartedConnecting(call, provider: provider, process: process)
        case .reportOutgoingCallConnected(let provider, let call, let date):
            reportConnected(call, date: date, provider: provider, process: process)
        case .transactionExecuted(let transaction, let handled): executed(transaction, handled: handled)
        case .actionFulfilled(let action, let date): complete(action, .fulfilled(date), by: process)
        case .actionFailed(let action): complete(action, .failed, by: process)
        case .actionNotImplemented(let action, let method): notImplemented(action, method: method, by: process)
        case .requestTransaction(let request, let transaction):
            requestTransaction(transaction, request: request, process: process)
        case .observeCalls(let observer):
            processes[process]?.observers.append(observer)
            return .calls(calls.map(\.value))
        case .stopObservingCalls(let observer): processes[process]?.observers.removeAll { $0 == observer }
        case .listCalls: return .calls(calls.map(\.value))
        case .createPushRegistry: break
        case .setDesiredPushTypes(let registry, let types): setPushTypes(types, registry: registry, of: process)
        case .releasePushRegistry(let registry): releaseRegistry(registry, of: process)
        case .pushToken(let registry, let type):
            return .token(cachedToken(type: type, registry: registry, of: process))
        case .pushHandlerReturned(let push): pushHandlerReturned(push)
        case .pushCompleted(let push): pushCompleted(push, by: process)
        case .pushNotHandled(let push): pushNotHandled(push)
        case .pushCredentialsNotHandled: credentialsNotHandled(by: process)
        case .reportVoIPPushPayload(let payload, let report): reportPayload(payload, report: report, of: process)
        case .setAudioCategory(let category, let mode, let options):
            return setCategory(category, mode: mode, options: options, of: process)
        case .setAudioActive(let active, let options): return setActive(active, options: options, of: process)
        case .overrideOutputPort(let port): return overridePort(port, of: process)
        case .readAudioSession: return .audioSession(audioSession(of: process))
        case .setAudioRunning(let running): return setAudioRunning(running, of: process)
        case .audioSession(let request): return answer(request, from: process)
        case .application(let request): return answer(request, from: process)
        case .directory(let request): return answer(request, from: process)
        case .telephony(let request): return answer(request, from: process)
        }
        return .done
    }
}
