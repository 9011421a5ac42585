// SPDX-License-Identifier: MIT

public import Foundation

/// The person who holds a ``VirtualPhone``: taps what is on the screen.
public struct User: Sendable {
    let phone: VirtualPhone

    /// Answers the ringing call; during another call by Hold & Accept when it is offered, else by End & Accept.
    ///
    /// - Parameter call: Which; nil is the card on top.
    /// - Throws: ``PhoneUserError`` when there is nothing to tap.
    public func answer(_ call: UUID? = nil) throws(PhoneUserError) {
        try act(.choose(.answer, call: call))
    }

    /// Taps one choice of an incoming card (G2).
    ///
    /// - Throws: ``PhoneUserError`` when it is not offered.
    public func choose(_ choice: AnswerChoice, call: UUID? = nil) throws(PhoneUserError) {
        try act(.choose(choice, call: call))
    }

    /// Declines the ringing call (E1).
    ///
    /// - Throws: ``PhoneUserError`` when nothing rings.
    public func decline(_ call: UUID? = nil) throws(PhoneUserError) {
        try act(.choose(.decline, call: call))
    }

    /// Ends a call that goes on; nil is the active one (E1).
    ///
    /// - Throws: ``PhoneUserError`` when no call goes on.
    public func hangUp(_ call: UUID? = nil) throws(PhoneUserError) {
        try act(.hangUp(call: call))
    }

    /// Taps the microphone button (G6).
    ///
    /// - Throws: ``PhoneUserError`` when no call goes on.
    public func setMuted(_ isMuted: Bool, call: UUID? = nil) throws(PhoneUserError) {
        try act(.setMuted(isMuted, call: call))
    }

    /// Taps the hold button; taking a call off hold while another is active swaps the two (G4).
    ///
    /// - Throws: ``PhoneUserError`` when no call goes on, or the call cannot be held (O4).
    public func setHeld(_ isOnHold: Bool, call: UUID? = nil) throws(PhoneUserError) {
        try act(.setHeld(isOnHold, call: call))
    }

    /// Taps digits on the keypad, one action each; what follows a comma or semicolon is sent as one (G7).
    ///
    /// - Throws: ``PhoneUserError`` when no call goes on, or it takes no tones (O4).
    public func playTone(_ digits: String, call: UUID? = nil) throws(PhoneUserError) {
        try act(.playTone(digits, call: call))
    }

    /// Silences the ringing; the call rings on for everybody else.
    ///
    /// - Throws: ``PhoneUserError`` when nothing rings.
    public func silence() throws(PhoneUserError) {
        try act(.silence)
    }

    /// Locks the phone; the app on the screen goes to the background.
    public func lock() {
        phone.handle(.locked)
    }

    /// Unlocks the phone.
    public func unlock() {
        phone.handle(.unlocked)
    }

    /// Taps an app's icon; a locked phone is unlocked first.
    ///
    /// - Throws: ``PhoneUserError/appNotInstalled(_:)``.
    public func open(_ bundle: String) throws(PhoneUserError) {
        try phone.perform(.opened(bundle))
    }

    /// Leaves the app on the screen.
    public func goHome() {
        phone.handle(.wentHome)
    }

    /// Closes an app in the app switcher.
    ///
    /// - Throws: ``PhoneUserError`` when it does not run.
    public func close(_ bundle: String) throws(PhoneUserError) {
        try phone.perform(.closed(bundle))
    }

    /// Switches Do Not Disturb; who is in `exceptions` may call all the same (I4).
    public func setDoNotDisturb(_ isOn: Bool, exceptions: Set<HandleValue> = []) {
        phone.handle(.doNotDisturb(on: isOn, exceptions: exceptions))
    }

    /// Replaces the list of blocked callers (I4).
    public func block(_ handles: Set<HandleValue>) {
        phone.handle(.blocked(handles))
    }

    /// Replaces the contacts: names by address (I7).
    public func setContacts(_ names: [HandleValue: String]) {
        phone.handle(.contacts(names))
    }

    func act(_ action: UserAction) throws(PhoneUserError) {
        try phone.perform(.user(action))
    }
}

extension VirtualPhone {
    /// Runs the machine on what a person does.
    ///
    /// - Throws: What the person cannot do.
    func perform(_ input: PhoneInput) throws(PhoneUserError) {
        if let error = handle(input).userError { throw error }
    }
}
