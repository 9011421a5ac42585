// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// A part of an app's log: what os_log writes to.
open class OSLog: NSObject {
    let subsystem: String
    let category: String

    /// A log of a part of the app.
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
        super.init()
    }

    /// The app's log without a name.
    public class var `default`: OSLog { OSLog(subsystem: "", category: "") }
    /// A log that keeps nothing.
    public class var disabled: OSLog { OSLog(subsystem: "", category: OSLog.disabledCategory) }
    static let disabledCategory = "OSLog.disabled"

    /// Whether lines of this kind are kept: all are, but those of ``disabled``.
    open func isEnabled(type: OSLogType) -> Bool {
        category != OSLog.disabledCategory
    }

    func write(_ type: OSLogType, _ message: String) {
        guard isEnabled(type: type) else { return }
        let entry = AppLogEntry(level: type.level, subsystem: subsystem, category: category, message: message)
        if let process = AppProcess.current {
            process.send(.application(.log(entry)))
        } else {
            // No phone runs this code, or several do.
            FileHandle.standardError.write(Data("[\(subsystem):\(category)] \(message)\n".utf8))
        }
    }
}

// Its strings never change.
extension OSLog: @unchecked Sendable {}
