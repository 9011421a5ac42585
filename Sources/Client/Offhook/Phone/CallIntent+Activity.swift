// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import Foundation
    import Intents
    import OffhookCore

    extension CallIntent {
        /// What an activity asks for; nil when it asks for no call, or says not whom (R123).
        init?(_ activity: NSUserActivity, receivedAt: Instant) {
            guard let intent = activity.interaction?.intent else { return nil }
            self.init(intent, receivedAt: receivedAt)
        }

        /// What an intent asks for.
        init?(_ intent: INIntent, receivedAt: Instant) {
            let person: INPerson?
            let video: Bool
            if let start = intent as? INStartCallIntent {
                person = start.contacts?.first
                video = start.callCapability == .videoCall
            } else if let start = intent as? any EarlierCallIntent {
                person = start.contacts?.first
                video = start.isVideo
            } else {
                return nil
            }
            guard let person, let value = person.personHandle?.value, (1...256).contains(value.utf8.count) else {
                return nil
            }
            let name = person.displayName
            self.init(
                handle: Handle(kind: Handle.Kind(person.personHandle?.type), value: value),
                name: name.isEmpty || name == value ? nil : name, video: video, receivedAt: receivedAt)
        }
    }

    extension Handle.Kind {
        /// The kind of a person's address; an app's own identifiers have none.
        init(_ type: INPersonHandleType?) {
            self = type == .phoneNumber ? .phoneNumber : type == .emailAddress ? .emailAddress : .generic
        }

        /// The kind as Intents knows it.
        var personHandleType: INPersonHandleType {
            switch self {
            case .generic: .unknown
            case .phoneNumber: .phoneNumber
            case .emailAddress: .emailAddress
            }
        }
    }

    /// The two intents of systems before iOS 13, which Recents and Siri may still send.
    private protocol EarlierCallIntent {
        var contacts: [INPerson]? { get }
        var isVideo: Bool { get }
    }

    @available(iOS, deprecated: 13.0)
    extension INStartAudioCallIntent: EarlierCallIntent {
        var isVideo: Bool { false }
    }

    @available(iOS, deprecated: 13.0)
    extension INStartVideoCallIntent: EarlierCallIntent {
        var isVideo: Bool { true }
    }
#endif
