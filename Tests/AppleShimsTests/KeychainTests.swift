// SPDX-License-Identifier: MIT

import Foundation
import Security
import Testing
import VirtualPhone

private let bundle = "org.example.keys"

extension AppleShimsTests {
    @Suite struct KeychainTests {
        private func query(_ account: String) -> [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "calls",
                kSecAttrAccount as String: account,
            ]
        }

        /// A phone whose app runs in the foreground.
        private func phone() async -> VirtualPhone {
            let phone = VirtualPhone()
            phone.install(App(bundleIdentifier: bundle, displayName: "Keys") { _ in NSObject() })
            phone.open(bundle)
            await phone.settle()
            return phone
        }

        @Test("R79: an item is added, found, changed and deleted with Apple's queries and codes")
        func life() async throws {
            let phone = await phone()
            defer { phone.shutDown() }
            let app = try #require(phone.process(of: bundle))
            app.run {
                var attributes = query("ann")
                attributes[kSecValueData as String] = Data("one".utf8)
                attributes[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
                #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
                #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecDuplicateItem)
                var search = query("ann")
                search[kSecReturnData as String] = kCFBooleanTrue
                search[kSecMatchLimit as String] = kSecMatchLimitOne
                var item: CFTypeRef?
                #expect(SecItemCopyMatching(search as CFDictionary, &item) == errSecSuccess)
                #expect(item as? Data == Data("one".utf8))
                let change = [kSecValueData as String: Data("two".utf8)]
                #expect(SecItemUpdate(query("ann") as CFDictionary, change as CFDictionary) == errSecSuccess)
                search[kSecReturnAttributes as String] = true
                search[kSecMatchLimit as String] = kSecMatchLimitAll
                #expect(SecItemCopyMatching(search as CFDictionary, &item) == errSecSuccess)
                let found = item as? [[String: Any]]
                #expect(found?.first?[kSecAttrAccount as String] as? String == "ann")
                #expect(found?.first?[kSecValueData as String] as? Data == Data("two".utf8))
                #expect(SecItemDelete(query("ann") as CFDictionary) == errSecSuccess)
                #expect(SecItemDelete(query("ann") as CFDictionary) == errSecItemNotFound)
                #expect(SecItemCopyMatching(search as CFDictionary, &item) == errSecItemNotFound)
                #expect(SecItemAdd([:] as CFDictionary, nil) == errSecParam)
                #expect(SecCopyErrorMessageString(errSecItemNotFound, nil) != nil)
            }
        }

        @Test(
            "R79: an item for the unlocked phone cannot be read while it is locked; one for after the first unlock can")
        func locked() async throws {
            let phone = await phone()
            defer { phone.shutDown() }
            let app = try #require(phone.process(of: bundle))
            await app.run {
                for (account, accessible) in [
                    ("open", kSecAttrAccessibleWhenUnlocked), ("always", kSecAttrAccessibleAfterFirstUnlock),
                ] {
                    var attributes = query(account)
                    attributes[kSecValueData as String] = Data(account.utf8)
                    attributes[kSecAttrAccessible as String] = accessible
                    #expect(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
                }
                phone.user.lock()
                await phone.settle()
                for (account, status) in [("open", errSecInteractionNotAllowed), ("always", errSecSuccess)] {
                    var search = query(account)
                    search[kSecReturnData as String] = true
                    var item: AnyObject?
                    #expect(SecItemCopyMatching(search as CFDictionary, &item) == status)
                }
            }
        }

        @Test func aProcessThatEndedHasNoKeychain() async throws {
            let phone = await phone()
            let app = try #require(phone.process(of: bundle))
            phone.shutDown()
            app.run { #expect(SecItemDelete(query("nobody") as CFDictionary) == errSecNotAvailable) }
        }
    }
}
