// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import CallKit
    import Foundation
    import OffhookCore

    extension CallRequest {
        /// The request as the actions of one transaction.
        ///
        /// - Parameter translation: The languages that the call is translated between now.
        /// - Returns: nil when the system has no such action.
        func actions(ending translation: Translation?) -> [CXAction]? {
            switch self {
            case .start(let call, let details):
                let start = CXStartCallAction(call: call.uuid, handle: CXHandle(details.handle))
                start.isVideo = details.video
                return [start]
            case .answer(let call): return [CXAnswerCallAction(call: call.uuid)]
            case .end(let call): return [CXEndCallAction(call: call.uuid)]
            case .setHeld(let call, let held): return [CXSetHeldCallAction(call: call.uuid, onHold: held)]
            case .setMuted(let call, let muted): return [CXSetMutedCallAction(call: call.uuid, muted: muted)]
            case .setGroup(let call, let other):
                return [CXSetGroupCallAction(call: call.uuid, callUUIDToGroupWith: other?.uuid)]
            case .playTones(let call, let tones):
                return ToneRun.runs(of: tones).map { $0.action(call) }
            case .setTranslation(let call, let wanted):
                return CallRequest.translate(call, wanted, ending: translation).map { [$0] }
            case .holdAndAnswer(let held, let answered):
                return [CXSetHeldCallAction(call: held.uuid, onHold: true), CXAnswerCallAction(call: answered.uuid)]
            case .endAndAnswer(let ended, let answered):
                return [CXEndCallAction(call: ended.uuid), CXAnswerCallAction(call: answered.uuid)]
            case .swap(let held, let resumed):
                return [
                    CXSetHeldCallAction(call: held.uuid, onHold: true),
                    CXSetHeldCallAction(call: resumed.uuid, onHold: false),
                ]
            }
        }

        private static func translate(
            _ call: CallID, _ wanted: Translation?, ending translation: Translation?
        ) -> CXAction? {
            #if !canImport(Darwin) || compiler(>=6.2)
                if #available(iOS 26.0, *) {
                    let languages = wanted ?? translation
                    return CXSetTranslatingCallAction(
                        call: call.uuid, isTranslating: wanted != nil, localLanguage: languages?.localLanguage ?? "",
                        remoteLanguage: languages?.remoteLanguage ?? "")
                }
            #endif
            return nil
        }
    }
#endif
