// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

/// Makes cellular calls for a dialer app.
///
/// An iPhone asks for the entitlement of a default dialer app, which the virtual phone does not check.
public final class TelephonyConversationManager: Sendable {
    /// The only one; it acts for the process that uses it.
    public static let sharedInstance: TelephonyConversationManager = TelephonyConversationManager()

    private init() {}

    /// The lines that can make a call.
    ///
    /// - Precondition: A phone runs the app.
    public var cellularServices: [CellularService] {
        let process = AppProcess.required(for: "TelephonyConversationManager")
        guard case .telephony(.services(let services)) = process.send(.telephony(.services)) else { return [] }
        return services.map(CellularService.init)
    }

    /// Makes a cellular call, which is none of the app's: a call observer sees it, a conversation manager does not.
    ///
    /// - Precondition: A phone runs the app.
    /// - Throws: An `NSError` when the phone has no such line, or nobody is to be called.
    public func startCellularConversation(_ action: StartCellularConversationAction) async throws {
        let process = AppProcess.required(for: "TelephonyConversationManager")
        guard let handle = action.handle?.boundaryValue.handle else {
            throw NSError(domain: "com.apple.CallKit.error.requesttransaction", code: 6)
        }
        let request = TelephonyRequest.startCellular(handle: handle, service: action.service?.id)
        if case .failure(let error) = process.send(.telephony(request)) {
            throw NSError(domain: error.domain, code: error.code)
        }
    }
}
