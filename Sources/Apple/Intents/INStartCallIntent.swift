// SPDX-License-Identifier: MIT

public import Foundation

/// A call of the history.
open class INCallRecord: NSObject {
    /// Names the call.
    public let identifier: String
    /// When it was.
    public let dateCreated: Date?
    /// What kind of call.
    public let callRecordType: INCallRecordType
    /// Whether it had video.
    public let callCapability: INCallCapability
    /// How long it took, in seconds.
    public let callDuration: TimeInterval?
    /// Whether it was not seen yet.
    public let unseen: Bool?

    /// Describes a call.
    public init(
        identifier: String, dateCreated: Date?, callRecordType: INCallRecordType, callCapability: INCallCapability,
        callDuration: TimeInterval?, unseen: Bool?
    ) {
        self.identifier = identifier
        self.dateCreated = dateCreated
        self.callRecordType = callRecordType
        self.callCapability = callCapability
        self.callDuration = callDuration
        self.unseen = unseen
        super.init()
    }
}

/// Which calls of the history are meant.
open class INCallRecordFilter: NSObject {
    /// With whom.
    public let participants: [INPerson]?
    /// With or without video.
    public let callCapability: INCallCapability

    /// Describes calls.
    public init(participants: [INPerson]?, callCapability: INCallCapability) {
        self.participants = participants
        self.callCapability = callCapability
        super.init()
    }
}

/// The user wants to call somebody: from Recents, from a contact's card, or by Siri (R123, P46).
open class INStartCallIntent: INIntent {
    /// Which call of the history is meant.
    public let callRecordFilter: INCallRecordFilter?
    /// The call that is called back.
    public let callRecordToCallBack: INCallRecord?
    /// Where the call is to be heard.
    public let audioRoute: INCallAudioRoute
    /// What kind of destination is called.
    public let destinationType: INCallDestinationType
    /// Who is called.
    public let contacts: [INPerson]?
    /// Whether the call has video.
    public let callCapability: INCallCapability
    /// Which kind of call is dialled again.
    public let recordTypeForRedialing: INCallRecordType

    /// Describes a call to make.
    public init(
        callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?, audioRoute: INCallAudioRoute,
        destinationType: INCallDestinationType, contacts: [INPerson]?, callCapability: INCallCapability
    ) {
        self.callRecordFilter = callRecordFilter
        self.callRecordToCallBack = callRecordToCallBack
        self.audioRoute = audioRoute
        self.destinationType = destinationType
        self.contacts = contacts
        self.callCapability = callCapability
        recordTypeForRedialing = .unknown
        super.init()
    }

    /// Describes a call to make, as before iOS 14.
    public init(
        audioRoute: INCallAudioRoute, destinationType: INCallDestinationType, contacts: [INPerson]?,
        recordTypeForRedialing: INCallRecordType, callCapability: INCallCapability
    ) {
        callRecordFilter = nil
        callRecordToCallBack = nil
        self.audioRoute = audioRoute
        self.destinationType = destinationType
        self.contacts = contacts
        self.callCapability = callCapability
        self.recordTypeForRedialing = recordTypeForRedialing
        super.init()
    }
}

/// The user wants to call somebody; what the phone sends to apps made for systems before iOS 13.
open class INStartAudioCallIntent: INIntent {
    /// What kind of destination is called.
    public let destinationType: INCallDestinationType
    /// Who is called.
    public let contacts: [INPerson]?

    /// Describes a call to make.
    public init(destinationType: INCallDestinationType = .unknown, contacts: [INPerson]?) {
        self.destinationType = destinationType
        self.contacts = contacts
        super.init()
    }
}

/// The user wants to see somebody; what the phone sends to apps made for systems before iOS 13.
open class INStartVideoCallIntent: INIntent {
    /// Who is called.
    public let contacts: [INPerson]?

    /// Describes a call to make.
    public init(contacts: [INPerson]?) {
        self.contacts = contacts
        super.init()
    }
}
