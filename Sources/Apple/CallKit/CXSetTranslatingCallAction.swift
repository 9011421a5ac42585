// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Starts or stops the translation of a connected call (G8).
open class CXSetTranslatingCallAction: CXCallAction {
    private let translating: Bool
    private let local: String
    private let remote: String

    /// Whether the call is to be translated.
    open var isTranslating: Bool { translating }
    /// The language spoken on this phone.
    open var localLanguage: String { local }
    /// The language of the other side.
    open var remoteLanguage: String { remote }

    /// Makes an action that starts or stops translating.
    public init(call uuid: UUID, isTranslating: Bool, localLanguage: String, remoteLanguage: String) {
        translating = isTranslating
        local = localLanguage
        remote = remoteLanguage
        super.init(call: uuid)
    }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        guard let local = aDecoder.string(forKey: "localLanguage"),
            let remote = aDecoder.string(forKey: "remoteLanguage")
        else { return nil }
        translating = aDecoder.decodeBool(forKey: "translating")
        self.local = local
        self.remote = remote
        super.init(coder: aDecoder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(isTranslating, forKey: "translating")
        coder.encode(localLanguage, forKey: "localLanguage")
        coder.encode(remoteLanguage, forKey: "remoteLanguage")
    }

    /// Fulfills the action and says who translates.
    open func fulfill(using translationEngine: CXTranslationEngine) {
        complete(date: nil)
    }

    override var boundaryKind: ActionValue.Kind {
        .setTranslating(isTranslating, localLanguage: localLanguage, remoteLanguage: remoteLanguage)
    }
    override func duplicate() -> CXAction {
        CXSetTranslatingCallAction(
            call: callUUID, isTranslating: isTranslating, localLanguage: localLanguage,
            remoteLanguage: remoteLanguage)
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXSetTranslatingCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}

// What it has beyond its superclass never changes; the superclass's state is behind `state`'s lock.
extension CXSetTranslatingCallAction: @unchecked Sendable {}
