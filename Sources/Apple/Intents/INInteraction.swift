// SPDX-License-Identifier: MIT

public import Foundation
package import VirtualPhone

/// What happened between the user and somebody, as the app tells it to the system (R125).
open class INInteraction: NSObject {
    /// What was wanted.
    public let intent: INIntent
    /// How it was taken.
    public let intentResponse: INIntentResponse?
    /// How far it was handled.
    public let intentHandlingStatus: INIntentHandlingStatus
    /// Who acted.
    open var direction: INInteractionDirection = .unspecified
    /// When.
    open var dateInterval: DateInterval?
    /// Names it, for deletion.
    open var identifier = UUID().uuidString
    /// Names the group it belongs to, for deletion.
    open var groupIdentifier: String?

    /// Describes an interaction.
    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
        intentResponse = response
        intentHandlingStatus = .unspecified
        super.init()
    }

    /// Tells it to the system, which shows it among the suggestions; `VirtualPhone.donations(of:)` lists it.
    ///
    /// The completion runs on a queue of its own.
    open func donate(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        record()
        if let completion { INInteraction.run { completion(nil) } }
    }

    /// Tells it to the system.
    open func donate() async throws {
        record()
    }

    /// Takes all interactions back; what was donated stays in the phone's list of what happened.
    open class func deleteAll(completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        if let completion { run { completion(nil) } }
    }

    /// Takes some interactions back.
    open class func delete(with identifiers: [String], completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        if let completion { run { completion(nil) } }
    }

    /// Takes the interactions of a group back.
    open class func delete(with groupIdentifier: String, completion: (@Sendable ((any Error)?) -> Void)? = nil) {
        if let completion { run { completion(nil) } }
    }

    private func record() {
        let contacts: [INPerson]
        switch intent {
        case let intent as INStartCallIntent: contacts = intent.contacts ?? []
        case let intent as INStartAudioCallIntent: contacts = intent.contacts ?? []
        case let intent as INStartVideoCallIntent: contacts = intent.contacts ?? []
        default: contacts = []
        }
        let donation = DonationValue(
            intent: "\(type(of: intent))", direction: direction.rawValue,
            handles: contacts.compactMap { $0.personHandle?.value })
        AppProcess.current?.send(.application(.donate(donation)))
    }

    private static func run(_ body: @escaping @Sendable () -> Void) {
        let process = AppProcess.current
        DispatchQueue.global().async {
            if let process { process.run(body) } else { body() }
        }
    }
}

extension NSUserActivity {
    /// What the user wants, when the activity came from Recents, a contact's card or Siri (R123).
    public var interaction: INInteraction? {
        attachment as? INInteraction
    }

    /// The activity that the phone's message describes.
    package convenience init(_ value: UserActivityValue) {
        self.init(activityType: value.activityType)
        let kind: INPersonHandleType
        switch value.handle?.type {
        case 2: kind = .phoneNumber
        case 3: kind = .emailAddress
        default: kind = .unknown
        }
        let contacts = value.handle.map { handle in
            [
                INPerson(
                    personHandle: INPersonHandle(value: handle.value, type: kind), nameComponents: nil,
                    displayName: value.displayName, image: nil, contactIdentifier: nil, customIdentifier: nil)
            ]
        }
        let intent: INIntent
        switch value.activityType {
        case "INStartAudioCallIntent":
            intent = INStartAudioCallIntent(destinationType: .normal, contacts: contacts)
        case "INStartVideoCallIntent":
            intent = INStartVideoCallIntent(contacts: contacts)
        case "INStartCallIntent":
            intent = INStartCallIntent(
                callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
                contacts: contacts, callCapability: value.isVideo ? .videoCall : .audioCall)
        default: return
        }
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .outgoing
        attachment = interaction
    }
}
