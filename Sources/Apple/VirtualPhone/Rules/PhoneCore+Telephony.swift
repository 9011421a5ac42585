// SPDX-License-Identifier: MIT

import Foundation

// L1: what LiveCommunicationKit offers to a dialer app: the phone's own line and Recents.
extension PhoneCore {
    /// The phone's one line.
    static let line = CellularServiceValue(
        id: UUID(uuid: (0x5A, 1, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)), label: "Primary")

    mutating func answer(_ request: TelephonyRequest, from process: UUID) -> AppReply {
        guard let bundle = processes[process]?.bundle else { return .processTerminated }
        switch request {
        case .services:
            return .telephony(.services(device.isInAirplaneMode ? [] : [PhoneCore.line]))
        case .startCellular(let handle, let service):
            log(.app, "asked for a cellular call", rule: "L1", app: bundle)
            guard !device.isInAirplaneMode, service == nil || service == PhoneCore.line.id else {
                log(.phone, "has no line for the cellular call", rule: "L1", app: bundle)
                return .failure(PhoneErrors.request(0))
            }
            dial(random.uuid(), kind: .cellular, handle: handle)
            return .done
        case .recents:
            return .telephony(.recents(recents.map { RecentValue(call: $0, isRead: isRead($0)) }))
        case .markRead(let calls):
            log(.app, "marked calls of Recents as read", rule: "L1", app: bundle)
            // Of calls that Recents have forgotten nothing is kept.
            readRecents = readRecents.union(calls).intersection(recents.map(\.call))
            return .done
        }
    }

    private func isRead(_ call: RecentCall) -> Bool {
        call.outcome != .missed || readRecents.contains(call.call)
    }
}
