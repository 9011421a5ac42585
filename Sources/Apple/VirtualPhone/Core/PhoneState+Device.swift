// SPDX-License-Identifier: MIT

import Foundation

/// The device's own state: what the user and the maker set, apart from calls.
struct DeviceState: Hashable, Sendable {
    /// Whether the phone was unlocked since it was switched on (R78, P09).
    var wasUnlocked = true
    /// Whether no radio works.
    var isInAirplaneMode = false
    /// The region of the user's settings, as ISO 3166 (R132).
    var region = "US"
    /// Whether it has a passcode; without one nothing is protected.
    var hasPasscode = true
    /// The keychain, in the order of adding; it outlives the apps (R79).
    var keychain: [StoredKeychainItem] = []
    /// Notifications that an extension has.
    var extensionRequests: [ExtensionRecord] = []
    /// Pushes that cannot be delivered yet.
    var keptPushes: [KeptPush] = []
    /// What became of the last pushes.
    var receipts = PushReceipts()
    /// Whose files cannot be read, as the containers have it.
    var protectedContainers = DeviceState.allReadable

    static let allReadable = StorageEffect.protect(containers: [], groups: false)
}

/// An item of the keychain, with the group it belongs to.
struct StoredKeychainItem: Hashable, Sendable {
    var item: KeychainItemValue
    var group: String
}

/// A notification that waits for its extension (K12).
struct ExtensionRecord: Hashable, Sendable {
    var id: UUID
    /// What is shown when the extension does nothing.
    var content: NotificationValue
    var process: UUID
    var limit: Date
    /// The extension was told that its time is over.
    var wasTold = false
}

/// What became of the last pushes: of some thousands, in bounded memory.
struct PushReceipts: Hashable, Sendable {
    private static let generation = 4096
    private var newer: [UUID: PushReceipt] = [:]
    private var older: [UUID: PushReceipt] = [:]

    subscript(push: UUID) -> PushReceipt? {
        get { newer[push] ?? older[push] }
        set {
            if newer.count >= PushReceipts.generation, newer[push] == nil {
                older = newer
                newer = [:]
            }
            newer[push] = newValue
        }
    }
}

/// A push that cannot be delivered yet.
struct KeptPush: Hashable, Sendable {
    /// Why it waits.
    enum Reason: Hashable, Sendable {
        /// Nobody can reach the phone: airplane mode (K10).
        case offline
        /// The phone was not unlocked since it was started (DTS6).
        case firstUnlock
        /// Fault `late-push`.
        case late
        /// Fault `reordered-push`.
        case reordered
    }
    var push: LeftPush
    var bundle: String
    var reason: Reason
    /// When it goes on by itself.
    var due: Date?
    /// When APNs throws it away, while it is offline.
    var expiration: Date?
}

/// Something that happens to the device.
public enum DeviceInput: Hashable, Sendable, Codable {
    /// The phone was switched off and on again; it is locked, and its protected data cannot be read (R78).
    case rebooted
    /// Airplane mode was switched.
    case airplaneMode(Bool)
    /// The region was set, as ISO 3166, such as `CN` (R132).
    case region(String)
    /// An app got another push token; the old one is dead (R55).
    case tokenRotated(bundle: String)
    /// The user set or removed the phone's passcode; without one nothing is protected (R79).
    case passcode(Bool)
}
