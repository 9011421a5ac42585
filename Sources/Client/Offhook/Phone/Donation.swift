// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import Foundation
    import Intents
    import OffhookCore

    /// A call as the system is told of it, for its suggestions and for Siri (R125).
    struct Donation {
        private let interaction: INInteraction

        init(_ call: CallID, _ details: CallDetails, _ direction: Call.Direction) {
            let handle = INPersonHandle(value: details.handle.value, type: details.handle.kind.personHandleType)
            let person = INPerson(
                personHandle: handle, nameComponents: nil, displayName: details.displayName, image: nil,
                contactIdentifier: nil, customIdentifier: nil)
            let intent = INStartCallIntent(
                callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
                contacts: [person], callCapability: details.video ? .videoCall : .audioCall)
            interaction = INInteraction(intent: intent, response: nil)
            interaction.identifier = call.uuid.uuidString
            switch direction {
            case .incoming: interaction.direction = .incoming
            case .outgoing: interaction.direction = .outgoing
            }
        }

        /// Tells the system; that it does not take it changes nothing.
        func donate() {
            interaction.donate(completion: nil)
        }
    }
#endif
