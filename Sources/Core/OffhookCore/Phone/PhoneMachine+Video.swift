// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// Why the camera of a call cannot be turned on or off (R115).
    func obstacle(toCamera wanted: Bool, in call: CallMachine) -> CallFailure? {
        if let failure = obstacle(toVideo: call) { return failure }
        guard wanted else { return nil }
        guard surroundings.mayUseCamera != false else {
            return CallFailure(.permissionDenied, "The user does not let the app use the camera; see Settings.")
        }
        guard surroundings.allowCamera, call.hasMedia else {
            return CallFailure(.mediaNotReady, "The camera runs in an answered call, unlocked and in the foreground.")
        }
        return nil
    }

    /// Why a call has no camera to speak of.
    func obstacle(toVideo call: CallMachine) -> CallFailure? {
        guard policy.canShowVideo else { return CallFailure(.unsupported, "The media engine carries no video.") }
        switch call.state {
        case .connecting, .active, .held: return nil
        case .incoming, .outgoing, .ended:
            return CallFailure(.invalidState, "The camera belongs to an answered call.")
        }
    }

    /// Why the speech of a call cannot be translated (R118).
    func obstacle(toTranslate translation: Translation?, in call: CallMachine) -> CallFailure? {
        guard policy.canTranslate else {
            return CallFailure(.unsupported, "Translation is not offered: supportsAudioTranslation is off.")
        }
        for language in [translation?.localLanguage, translation?.remoteLanguage] {
            guard let language, !(1...35).contains(language.utf8.count) else { continue }
            return CallFailure(.invalidArgument, "A language is a BCP 47 tag of 1 to 35 bytes.")
        }
        switch call.state {
        case .active, .held: return nil
        case .incoming, .outgoing, .connecting, .ended:
            return CallFailure(.invalidState, "Only a call with voice can be translated.")
        }
    }
}
