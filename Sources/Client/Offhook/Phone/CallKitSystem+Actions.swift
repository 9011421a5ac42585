// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import AVFAudio
    import CallKit
    import Foundation
    import OffhookCore

    // Transactions that the app asks for, and their completion.
    extension CallKitSystem {
        func request(_ request: CallRequest) {
            if case .start(let call, let details) = request {
                own.insert(call.uuid)
                outgoing[call] = details
            }
            guard let actions = request.actions(ending: translations[request.call]) else {
                let failure = CallFailure(.unsupported, "This system does not translate calls; iOS 26 does.")
                receiver?.receive(.requestCompleted(request, failure))
                return
            }
            controller.request(CXTransaction(actions: actions)) { [weak self] error in
                let failure = error.map { CallFailure(request: $0) }
                self?.enter { [weak self] in
                    if failure != nil, case .start(let call, _) = request { self?.outgoing[call] = nil }
                    self?.receiver?.receive(.requestCompleted(request, failure))
                }
            }
        }

        func fulfil(_ action: ActionID) {
            guard let action = actions.removeValue(forKey: action) else { return }
            #if !canImport(Darwin) || compiler(>=6.2)
                if #available(iOS 26.0, *), let translating = action as? CXSetTranslatingCallAction {
                    return translating.fulfill(using: .default)  // the phone translates
                }
            #endif
            action.fulfill()
        }

        func fail(_ action: ActionID) {
            actions.removeValue(forKey: action)?.fail()
        }

        private func take(_ action: CXAction) -> ActionID {
            let id = ActionID(action.uuid)
            actions[id] = action
            return id
        }

        /// Takes an action of a call, which is thereby known to be the app's own.
        private func take(_ action: CXCallAction) -> (ActionID, CallID) {
            own.insert(action.callUUID)
            return (take(action as CXAction), CallID(action.callUUID))
        }
    }

    extension CallKitSystem: CXProviderDelegate {
        func providerDidReset(_ provider: CXProvider) {
            actions = [:]  // R22: they need no answer
            outgoing = [:]
            translations = [:]
            receiver?.receive(.providerReset)
        }

        func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
            let (id, call) = take(action)
            receiver?.receive(.startPerformed(id, call))
        }

        func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
            let (id, call) = take(action)
            receiver?.receive(.answerPerformed(id, call))
        }

        func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
            let (id, call) = take(action)
            forget(call)
            receiver?.receive(.endPerformed(id, call))
        }

        func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
            let (id, call) = take(action)
            receiver?.receive(.holdPerformed(id, call, action.isOnHold))
        }

        func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
            let (id, call) = take(action)
            receiver?.receive(.mutePerformed(id, call, action.isMuted))
        }

        func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
            let (id, call) = take(action)
            receiver?.receive(.groupPerformed(id, call, with: action.callUUIDToGroupWith.map { CallID($0) }))
        }

        func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
            let (id, call) = take(action)
            receiver?.receive(.tonesPerformed(id, call, ToneRun(action).text))
        }

        // R118: the action exists from the SDK of iOS 26 on.
        #if !canImport(Darwin) || compiler(>=6.2)
            @available(iOS 26.0, *)
            func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
                let (id, call) = take(action)
                let languages = Translation(
                    localLanguage: action.localLanguage, remoteLanguage: action.remoteLanguage)
                let translation = action.isTranslating ? languages : nil
                translations[call] = translation
                receiver?.receive(.translationPerformed(id, call, translation))
            }
        #endif

        func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
            let id = ActionID(action.uuid)
            actions[id] = nil  // T8: failed already
            receiver?.receive(.actionTimedOut(id))
        }

        func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
            receiver?.receive(.audioActivated)
            audio.tellRoutes()  // R51: the routes of a session are known once it is active
        }

        func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
            receiver?.receive(.audioDeactivated)
        }
    }
#endif
