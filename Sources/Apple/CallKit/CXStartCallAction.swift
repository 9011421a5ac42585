// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Starts an outgoing call (O2).
open class CXStartCallAction: CXCallAction {
    /// Whom to call, copied when set.
    @NSCopying open var handle: CXHandle
    /// The identifier of the contact being called.
    open var contactIdentifier: String?
    /// Whether the call has video.
    open var isVideo = false

    /// Makes an action that calls someone.
    public init(call callUUID: UUID, handle: CXHandle) {
        self.handle = handle
        super.init(call: callUUID)
    }

    /// Reads an action from an archive; nil when the archive holds none.
    public required init?(coder aDecoder: NSCoder) {
        guard let handle = aDecoder.object(CXHandle.self, forKey: "handle") else { return nil }
        self.handle = handle
        contactIdentifier = aDecoder.string(forKey: "contactIdentifier")
        isVideo = aDecoder.decodeBool(forKey: "video")
        super.init(coder: aDecoder)
    }

    /// Writes the action to an archive.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(handle, forKey: "handle")
        coder.encode(contactIdentifier, forKey: "contactIdentifier")
        coder.encode(isVideo, forKey: "video")
    }

    /// Fulfills the action with the time at which the call was started.
    open func fulfill(withDateStarted dateStarted: Date) {
        complete(date: dateStarted)
    }

    override class var timeLimit: TimeInterval { 600 }
    override var boundaryKind: ActionValue.Kind {
        .start(handle: handle.boundaryValue, contactIdentifier: contactIdentifier, isVideo: isVideo)
    }
    override func duplicate() -> CXAction {
        let copy = CXStartCallAction(call: callUUID, handle: handle)
        copy.contactIdentifier = contactIdentifier
        copy.isVideo = isVideo
        return copy
    }
    override func perform(on delegate: any CXProviderDelegate, provider: CXProvider) -> Bool {
        DelegateProbe.call("CXStartCallAction", of: delegate) { delegate.provider(provider, perform: self) }
    }
}
