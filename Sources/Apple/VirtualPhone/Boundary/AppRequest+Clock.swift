// SPDX-License-Identifier: MIT

import Foundation

// The time of day as the app sees it may differ from the phone's (fault `clock-jump`): dates are moved on their way.
extension AppRequest {
    func shifted(by jump: Duration) -> AppRequest {
        guard jump != .zero else { return self }
        switch self {
        case .reportCallEnded(let provider, let call, let date, let reason):
            return .reportCallEnded(provider: provider, call: call, date: date?.moved(by: jump), reason: reason)
        case .reportOutgoingCallStartedConnecting(let provider, let call, let date):
            return .reportOutgoingCallStartedConnecting(provider: provider, call: call, date: date?.moved(by: jump))
        case .reportOutgoingCallConnected(let provider, let call, let date):
            return .reportOutgoingCallConnected(provider: provider, call: call, date: date?.moved(by: jump))
        case .actionFulfilled(let action, let date):
            return .actionFulfilled(action: action, date: date?.moved(by: jump))
        case .requestTransaction(let request, let transaction):
            return .requestTransaction(request: request, transaction: transaction.shifted(by: jump))
        default: return self
        }
    }
}

extension PhoneEvent {
    func shifted(by jump: Duration) -> PhoneEvent {
        guard jump != .zero else { return self }
        switch self {
        case .executeTransaction(let provider, let transaction):
            return .executeTransaction(provider: provider, transaction: transaction.shifted(by: jump))
        case .performAction(let provider, let action):
            return .performAction(provider: provider, action: action.shifted(by: jump))
        default: return self
        }
    }
}

extension TransactionValue {
    fileprivate func shifted(by jump: Duration) -> TransactionValue {
        TransactionValue(
            uuid: uuid, actions: actions.map { $0.shifted(by: jump) }, framework: framework)
    }
}

extension ActionValue {
    fileprivate func shifted(by jump: Duration) -> ActionValue {
        var action = self
        action.timeoutDate = timeoutDate.moved(by: jump)
        return action
    }
}

extension Date {
    func moved(by duration: Duration) -> Date {
        addingTimeInterval(duration / .seconds(1))
    }
}
