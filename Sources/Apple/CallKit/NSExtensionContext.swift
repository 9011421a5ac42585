// SPDX-License-Identifier: MIT

public import Foundation

// Apple has these in Foundation; on Linux Foundation has no app extensions, so CallKit brings what its own need.

/// What an app extension is asked for.
open class NSExtensionContext: NSObject {
    /// Makes a context.
    public override init() {}

    /// What the request holds; nothing, for a Call Directory extension.
    open var inputItems: [Any] { [] }

    /// Ends the request without a result.
    open func cancelRequest(withError error: any Error) {}
}

/// The principal object of an app extension.
public protocol NSExtensionRequestHandling: NSObjectProtocol {
    /// Begins a request.
    func beginRequest(with context: NSExtensionContext)
}
