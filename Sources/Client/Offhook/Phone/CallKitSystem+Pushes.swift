// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import Foundation
    import OffhookCore
    import PushKit

    extension CallKitSystem: PKPushRegistryDelegate {
        func completePush(_ push: PushID) {
            pushes.removeValue(forKey: push)?()  // R57: taken out, so never twice
        }

        func pushRegistry(
            _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
        ) {
            guard type == .voIP else { return }
            receiver?.receiveToken(pushCredentials.token.hexadecimal)
        }

        func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
            guard type == .voIP else { return }
            receiver?.receiveToken(nil)
        }

        func pushRegistry(
            _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
            completion: @escaping @Sendable () -> Void
        ) {
            guard type == .voIP else { return completion() }
            take(payload, mustReport: true, completion)
        }

        // R56, P10: the method exists from the SDK of iOS 26.4 on.
        #if !canImport(Darwin) || compiler(>=6.3)
            @available(iOS 26.4, *)
            func pushRegistry(
                _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
                metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
            ) {
                take(payload, mustReport: metadata.mustReport, completion)
            }
        #endif

        /// Everything happens before this returns: the decision, the report, the start of the connection (K3).
        private func take(_ payload: PKPushPayload, mustReport: Bool, _ completion: @escaping @Sendable () -> Void) {
            guard let receiver else { return completion() }
            pushCount += 1
            let push = PushID(pushCount)
            pushes[push] = completion
            receiver.receivePush(push, payload: payload.json, mustReport: mustReport)
        }
    }

    extension PKPushPayload {
        /// The payload as JSON; nil if it is none.
        var json: [UInt8]? {
            guard JSONSerialization.isValidJSONObject(dictionaryPayload),
                let data = try? JSONSerialization.data(withJSONObject: dictionaryPayload)
            else { return nil }
            return [UInt8](data)
        }
    }
#endif
