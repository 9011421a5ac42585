// SPDX-License-Identifier: MIT

public import AppleFoundation

// Apple's names for what a query has, with Apple's values.

/// The item's class.
public var kSecClass: CFString { "class" }
/// A password.
public var kSecClassGenericPassword: CFString { "genp" }
/// A password of a server.
public var kSecClassInternetPassword: CFString { "inet" }
/// A certificate; cannot be stored here.
public var kSecClassCertificate: CFString { "cert" }
/// A key; stored as its bytes.
public var kSecClassKey: CFString { "keys" }
/// A key with its certificate; cannot be stored here.
public var kSecClassIdentity: CFString { "idnt" }
/// Whose password.
public var kSecAttrAccount: CFString { "acct" }
/// For which service.
public var kSecAttrService: CFString { "svce" }
/// For which server.
public var kSecAttrServer: CFString { "srvr" }
/// What the user sees.
public var kSecAttrLabel: CFString { "labl" }
/// What kind of item.
public var kSecAttrDescription: CFString { "desc" }
/// A comment.
public var kSecAttrComment: CFString { "icmt" }
/// The app's own bytes.
public var kSecAttrGeneric: CFString { "gena" }
/// Names a key.
public var kSecAttrApplicationTag: CFString { "atag" }
/// Which apps share the item.
public var kSecAttrAccessGroup: CFString { "agrp" }
/// Whether other devices get the item; there are none here.
public var kSecAttrSynchronizable: CFString { "sync" }
/// Whether or not other devices get the item.
public var kSecAttrSynchronizableAny: CFString { "syna" }
/// When the item was made; not kept here.
public var kSecAttrCreationDate: CFString { "cdat" }
/// When the item was changed; not kept here.
public var kSecAttrModificationDate: CFString { "mdat" }
/// When the item can be read (R79).
public var kSecAttrAccessible: CFString { "pdmn" }
/// While the phone is unlocked; what an item is unless told otherwise (R79).
public var kSecAttrAccessibleWhenUnlocked: CFString { "ak" }
/// From the first unlock after a restart on; what calls need (R79).
public var kSecAttrAccessibleAfterFirstUnlock: CFString { "ck" }
/// While the phone is unlocked; not in backups.
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "aku" }
/// From the first unlock on; not in backups.
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" }
/// While the phone, which has a passcode, is unlocked.
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "akpu" }
/// The secret.
public var kSecValueData: CFString { "v_Data" }
/// Whether the secret is asked for.
public var kSecReturnData: CFString { "r_Data" }
/// Whether the attributes are asked for.
public var kSecReturnAttributes: CFString { "r_Attributes" }
/// Whether an object is asked for; there is none here.
public var kSecReturnRef: CFString { "r_Ref" }
/// Whether a lasting reference is asked for; there is none here.
public var kSecReturnPersistentRef: CFString { "r_PersistentRef" }
/// How many items are asked for.
public var kSecMatchLimit: CFString { "m_Limit" }
/// One item; what a query asks for unless told otherwise.
public var kSecMatchLimitOne: CFString { "m_LimitOne" }
/// All items.
public var kSecMatchLimitAll: CFString { "m_LimitAll" }
/// Which keychain; there is one here.
public var kSecUseDataProtectionKeychain: CFString { "nleg" }
