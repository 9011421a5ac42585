// SPDX-License-Identifier: MIT

public import Foundation

extension User {
    /// Taps Swap: the active call is held, then the one on hold goes on (G4).
    ///
    /// - Throws: ``PhoneUserError/notOffered(_:)`` without two calls, or when the active one cannot be held.
    public func swap() throws(PhoneUserError) {
        try act(.swap)
    }

    /// Taps Merge: the call on hold is taken off hold, then joins the active one (P41, G5).
    ///
    /// - Throws: ``PhoneUserError/notOffered(_:)`` when one of them cannot be grouped, or the group would be too large.
    public func merge() throws(PhoneUserError) {
        try act(.merge)
    }

    /// Taps Private at one call of a conference: it goes on alone, the others are held (G5).
    ///
    /// - Throws: ``PhoneUserError`` when it is in no conference, or cannot leave it.
    public func separate(_ call: UUID) throws(PhoneUserError) {
        try act(.separate(call: call))
    }

    /// Starts or stops the translation of a call; nil is the active one (G8).
    ///
    /// - Parameters:
    ///   - isTranslating: Whether the call is to be translated.
    ///   - local: The language spoken here, such as `en`.
    ///   - remote: The language of the other side.
    ///   - call: Which call.
    /// - Throws: ``PhoneUserError/notOffered(_:)`` before the call is connected, before iOS 26, and for a provider
    ///   without `supportsAudioTranslation`.
    public func setTranslating(
        _ isTranslating: Bool, from local: String, to remote: String, call: UUID? = nil
    ) throws(PhoneUserError) {
        try act(.setTranslating(isTranslating, localLanguage: local, remoteLanguage: remote, call: call))
    }

    /// Taps a line of Recents: the app is opened and handed an INStartCallIntent (R123, P46); a line of the system's
    /// own calls dials.
    ///
    /// - Parameter call: Which call of the past; nil is the newest.
    /// - Throws: ``PhoneUserError`` when there is none, or its app was removed.
    public func tapRecent(_ call: UUID? = nil) throws(PhoneUserError) {
        try act(.tapRecent(call: call))
    }

    /// Asks for a call on a contact's card (R123).
    ///
    /// - Parameters:
    ///   - handle: The address tapped.
    ///   - app: The app chosen to call with.
    ///   - isVideo: Whether the video button was tapped.
    /// - Throws: ``PhoneUserError/appNotInstalled(_:)``.
    public func callFromContacts(
        _ handle: HandleValue, with app: String, isVideo: Bool = false
    ) throws(PhoneUserError) {
        try act(.requestCall(.contacts, handle: handle, isVideo: isVideo, app: app))
    }

    /// Asks Siri for a call (R123).
    ///
    /// - Throws: ``PhoneUserError/appNotInstalled(_:)``.
    public func askSiri(
        toCall handle: HandleValue, with app: String, isVideo: Bool = false
    ) throws(PhoneUserError) {
        try act(.requestCall(.siri, handle: handle, isVideo: isVideo, app: app))
    }

    /// Replaces the contacts by people with all their addresses and photos (R24).
    public func setContacts(_ people: [Contact]) {
        phone.handle(.contactBook(people))
    }
}
