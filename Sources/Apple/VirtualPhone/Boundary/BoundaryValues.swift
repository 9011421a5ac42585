// SPDX-License-Identifier: MIT

public import Foundation

/// An error of Apple's domains as a value (I2, T1).
public struct PhoneError: Error, Hashable, Sendable, Codable {
    /// Apple's error domain, such as `com.apple.CallKit.error.incomingcall`.
    public var domain: String
    /// Apple's raw code.
    public var code: Int

    /// Makes an error.
    public init(domain: String, code: Int) {
        self.domain = domain
        self.code = code
    }
}

/// A CXHandle; `type` is CXHandle.HandleType's raw value (1 generic, 2 phoneNumber, 3 emailAddress).
public struct HandleValue: Hashable, Sendable, Codable {
    /// The raw handle type.
    public var type: Int
    /// The address.
    public var value: String

    /// Makes a handle.
    public init(type: Int, value: String) {
        self.type = type
        self.value = value
    }
}

/// A CXCallUpdate; nil means not set, and an unset field changes nothing (I7).
public struct CallUpdateValue: Hashable, Sendable, Codable {
    /// The caller's address.
    public var remoteHandle: HandleValue?
    /// The name to show.
    public var localizedCallerName: String?
    /// Whether the call can be held.
    public var supportsHolding: Bool?
    /// Whether the call can be grouped.
    public var supportsGrouping: Bool?
    /// Whether the call can leave a group.
    public var supportsUngrouping: Bool?
    /// Whether the call can send tones.
    public var supportsDTMF: Bool?
    /// Whether the call has video.
    public var hasVideo: Bool?
    /// Who takes part, besides this phone: LiveCommunicationKit's members, the first of them being the caller (L1).
    public var members: [MemberValue]?
    /// The members whose media flow (L1).
    public var activeMembers: [MemberValue]?
    /// Who this phone's user is in the call (L1).
    public var localMember: MemberValue?

    /// Makes an update that sets nothing.
    public init() {}
}

/// A CXProviderConfiguration.
public struct ProviderConfigurationValue: Hashable, Sendable, Codable {
    /// File name of the ring tone.
    public var ringtoneSound: String?
    /// The icon of the call screen.
    public var iconTemplateImageData: Data?
    /// How many groups of calls may live at once (G1).
    public var maximumCallGroups = 2
    /// How many calls a group may have (G1).
    public var maximumCallsPerCallGroup = 5
    /// Whether calls appear in Recents (R18).
    public var includesCallsInRecents = true
    /// Whether calls can have video.
    public var supportsVideo = false
    /// Whether calls can be translated (G8).
    public var supportsAudioTranslation = false
    /// Raw handle types, ascending.
    public var supportedHandleTypes: [Int] = []
    /// Which framework the provider belongs to (L1).
    public var framework = CallFramework.callKit

    /// Makes Apple's default configuration (G1).
    public init() {}
}

/// A CXTransaction.
public struct TransactionValue: Hashable, Sendable, Codable {
    /// The transaction's identity.
    public var uuid: UUID
    /// Its actions in order.
    public var actions: [ActionValue]
    /// The framework through which an app asks for it (L1).
    public var framework: CallFramework

    /// Makes a transaction.
    public init(uuid: UUID = UUID(), actions: [ActionValue], framework: CallFramework = .callKit) {
        self.uuid = uuid
        self.actions = actions
        self.framework = framework
    }
}

/// A CXCallAction, or an action that is none (`call` nil).
public struct ActionValue: Hashable, Sendable, Codable {
    /// What an action does.
    public enum Kind: Hashable, Sendable, Codable {
        /// CXStartCallAction.
        case start(handle: HandleValue, contactIdentifier: String?, isVideo: Bool)
        /// CXAnswerCallAction.
        case answer
        /// CXEndCallAction.
        case end
        /// CXSetHeldCallAction.
        case setHeld(Bool)
        /// CXSetMutedCallAction.
        case setMuted(Bool)
        /// CXSetGroupCallAction; nil leaves the group.
        case setGroup(with: UUID?)
        /// CXPlayDTMFCallAction; `type` is the raw value.
        case playDTMF(digits: String, type: Int)
        /// CXSetTranslatingCallAction.
        case setTranslating(Bool, localLanguage: String, remoteLanguage: String)
        /// An action that is no CXCallAction of Apple's (T2).
        case other
    }

    /// The action's identity.
    public var uuid: UUID
    /// The call it is for.
    public var call: UUID?
    /// What it does.
    public var kind: Kind
    /// Its deadline, fixed when the action is created (T6), in the phone's time.
    public var timeoutDate: Date
    /// Whom a start action of LiveCommunicationKit calls; nil elsewhere (L1).
    public var members: [MemberValue]?

    /// Makes an action.
    public init(uuid: UUID = UUID(), call: UUID?, kind: Kind, timeoutDate: Date) {
        self.uuid = uuid
        self.call = call
        self.kind = kind
        self.timeoutDate = timeoutDate
    }
}

/// A CXCall as observers see it (C1).
public struct CallValue: Hashable, Sendable, Codable {
    /// The call's identity.
    public var uuid: UUID
    /// Whether this phone made the call.
    public var isOutgoing: Bool
    /// Whether it is held.
    public var isOnHold: Bool
    /// Whether it was connected.
    public var hasConnected: Bool
    /// Whether it is over.
    public var hasEnded: Bool

    /// Makes a call.
    public init(
        uuid: UUID, isOutgoing: Bool, isOnHold: Bool = false, hasConnected: Bool = false, hasEnded: Bool = false
    ) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
        self.isOnHold = isOnHold
        self.hasConnected = hasConnected
        self.hasEnded = hasEnded
    }
}

/// A push as the registry hands it to its delegate.
public struct PushValue: Hashable, Sendable, Codable {
    /// Names this delivery.
    public var id: UUID
    /// PKPushType's raw value.
    public var type: String
    /// The payload: a JSON object in UTF-8.
    public var payload: Data
    /// PKVoIPPushMetadata.mustReport; nil when the system is older than iOS 26.4 (K8).
    public var mustReport: Bool?

    /// Makes a push.
    public init(id: UUID, type: String, payload: Data, mustReport: Bool?) {
        self.id = id
        self.type = type
        self.payload = payload
        self.mustReport = mustReport
    }
}
