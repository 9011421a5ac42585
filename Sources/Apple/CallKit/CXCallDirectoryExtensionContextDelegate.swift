// SPDX-License-Identifier: MIT

public import Foundation

/// Hears of a load that failed (D11).
public protocol CXCallDirectoryExtensionContextDelegate: NSObjectProtocol {
    /// The load failed with a ``CXErrorCodeCallDirectoryManagerError`` or a database error; nothing of it was kept.
    func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error)
}
