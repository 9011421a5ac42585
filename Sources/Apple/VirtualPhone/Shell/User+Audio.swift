// SPDX-License-Identifier: MIT

public import Foundation

extension User {
    /// Chooses where the call sounds, with the sound button of the in-call screen (R51).
    ///
    /// - Throws: ``PhoneUserError/notOffered(_:)`` when it is not among ``Screen/audioRoutes``.
    public func chooseRoute(_ choice: AudioRouteChoice) throws(PhoneUserError) {
        try phone.perform(.audio(.routeChosen(choice)))
    }

    /// Answers the ringing call with the button of a connected device, to which the call then goes (P34).
    ///
    /// - Parameters:
    ///   - call: Which; nil is the card on top.
    ///   - device: A connected device.
    /// - Throws: ``PhoneUserError`` when nothing rings, or the device is not connected.
    public func answer(_ call: UUID? = nil, on device: AudioDevice) throws(PhoneUserError) {
        try phone.perform(.audio(.answered(call: call, on: device)))
    }

    /// Answers the question for the microphone on the screen (V9).
    ///
    /// - Throws: ``PhoneUserError/notOffered(_:)`` when ``Screen/microphonePrompt`` is nil.
    public func answerMicrophonePrompt(_ allows: Bool) throws(PhoneUserError) {
        try phone.perform(.audio(.microphonePromptAnswered(allows)))
    }

    /// Switches an app's microphone in Settings, which ends the app (V9).
    ///
    /// - Throws: ``PhoneUserError/appNotInstalled(_:)``.
    public func setMicrophone(_ allowed: Bool, for bundle: String) throws(PhoneUserError) {
        try phone.perform(.audio(.microphoneSwitched(bundle: bundle, allowed: allowed)))
    }
}
