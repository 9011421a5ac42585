// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

extension FileManager {
    /// The folder that an app shares with its extensions, made when it does not exist.
    ///
    /// It belongs to the phone and lives as long as it does. The app needs the group in its entitlements: in
    /// `App(appGroups:)`.
    ///
    /// - Returns: nil without the entitlement, and outside an app's process.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard let process = AppProcess.current,
            case .path(let path?) = process.send(.application(.containerPath(group: groupIdentifier)))
        else { return nil }
        let url = URL(fileURLWithPath: path, isDirectory: true)
        try? createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}
