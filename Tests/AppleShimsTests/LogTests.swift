// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone
import os.log

private let bundle = "org.example.log"

extension AppleShimsTests {
    @Suite struct LogTests {
        /// What an app logs at its launch.
        private func log(_ body: @escaping @Sendable () -> Void) async -> [AppLogEntry] {
            let phone = VirtualPhone()
            defer { phone.shutDown() }
            phone.install(
                App(bundleIdentifier: bundle, displayName: "Log") { _ in
                    body()
                    return NSObject()
                })
            phone.open(bundle)
            await phone.settle()
            return phone.log(of: bundle)
        }

        @Test("R12: the log hides strings unless they are public, and shows numbers")
        func privacy() async {
            let entries = await log {
                let logger = Logger(subsystem: "org.example", category: "calls")
                let number = "+14155550100"
                let count = 7
                logger.info("call from \(number), \(number, privacy: .public), \(count), \(count, privacy: .private)")
                logger.error("\(number, privacy: .private(mask: .hash)) \(true) \(1.5, format: .fixed(precision: 1))")
                logger.fault(
                    "\(255, format: .hex, align: .right(columns: 4))|\(NSNumber(value: 3))|\(URLError(.timedOut))")
            }
            #expect(
                entries.first
                    == AppLogEntry(
                        time: entries.first?.time ?? .distantFuture, level: .info, subsystem: "org.example",
                        category: "calls", message: "call from <private>, +14155550100, 7, <private>"))
            #expect(entries.map(\.level) == [.info, .error, .fault])
            #expect(entries[1].message.hasPrefix("<mask.hash: '") && entries[1].message.hasSuffix("'> true 1.5"))
            #expect(entries[2].message == "  ff|<private>|<private>")
        }

        @Test("R12: os_log fills its format, and hides objects unless they are public")
        func formats() async {
            let entries = await log {
                let log = OSLog(subsystem: "org.example", category: "app")
                os_log("plain")
                os_log("%{public}@ and %@, %d of %ld, 100%%", log: log, type: .error, "open", "secret", 3, 4)
                os_log(.debug, log: log, "%.2f %02x %{private}d", 1.239, 10, 5)
                os_log("\(3) calls")
                os_log("nothing", log: .disabled)
            }
            #expect(
                entries.map(\.message) == [
                    "plain", "open and <private>, 3 of 4, 100%", "1.24 0a <private>", "3 calls",
                ])
            #expect(entries.map(\.level) == [.default, .error, .debug, .default])
        }

        @Test func locks() {
            let lock = OSAllocatedUnfairLock(initialState: 0)
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                for _ in 0..<500 { lock.withLock { $0 += 1 } }
            }
            #expect(lock.withLock { $0 } == 4000)
            let plain = OSAllocatedUnfairLock()
            #expect(plain.lockIfAvailable() && !plain.lockIfAvailable())
            plain.unlock()
            var unfair = os_unfair_lock()
            os_unfair_lock_lock(&unfair)
            #expect(!os_unfair_lock_trylock(&unfair))
            os_unfair_lock_unlock(&unfair)
            #expect(os_unfair_lock_trylock(&unfair))
        }
    }
}
