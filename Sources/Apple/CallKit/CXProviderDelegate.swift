// SPDX-License-Identifier: MIT

public import AVFAudio
public import Foundation
import VirtualPhone

/// Performs what the user and the app ask for.
///
/// Called on the queue given to `setDelegate`.
///
/// All methods but ``providerDidReset(_:)`` are optional. A misspelt optional method is a method of its own: the
/// phone then finds only the default, fails an action, and says which method is missing (T11). It cannot say which
/// method was misspelt: Swift on Linux keeps no names of methods at run time.
public protocol CXProviderDelegate: NSObjectProtocol {
    /// The phone lost the provider's calls: the app drops them all without completing actions (P2).
    func providerDidReset(_ provider: CXProvider)
    /// The provider is ready (P1).
    func providerDidBegin(_ provider: CXProvider)
    /// Offers a whole transaction; true when the delegate completes every action of it itself (T9).
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool
    /// Starts an outgoing call (O2).
    func provider(_ provider: CXProvider, perform action: CXStartCallAction)
    /// Answers an incoming call (A1).
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction)
    /// Ends a call (E1).
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    /// Holds a call or takes it off hold (G2).
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction)
    /// Mutes a call or ends the muting (G6).
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction)
    /// Groups a call or takes it out of its group (G5).
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction)
    /// Plays tones (G7).
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction)
    /// Starts or stops the translation of a call (G8).
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction)
    /// An action was not completed in time; it has failed already and must not be completed (T8).
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction)
    /// The call's audio session is active: audio may run now (S1).
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)
    /// The audio session is no longer active: audio stops (S2).
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

extension CXProviderDelegate {
    /// Does nothing.
    public func providerDidBegin(_ provider: CXProvider) {}
    /// Lets the actions be performed one by one.
    public func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool { false }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        DelegateProbe.markDefault("CXStartCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        DelegateProbe.markDefault("CXAnswerCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        DelegateProbe.markDefault("CXEndCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        DelegateProbe.markDefault("CXSetHeldCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        DelegateProbe.markDefault("CXSetMutedCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        DelegateProbe.markDefault("CXSetGroupCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        DelegateProbe.markDefault("CXPlayDTMFCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        DelegateProbe.markDefault("CXSetTranslatingCallAction", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        DelegateProbe.markDefault("provider(_:timedOutPerforming:)", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        DelegateProbe.markDefault("provider(_:didActivate:)", of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        DelegateProbe.markDefault("provider(_:didDeactivate:)", of: self)
    }
}
