// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import CallKit
    import Foundation
    import OffhookCore

    extension CXProviderConfiguration {
        /// The configuration of these options (R16); how many calls and whether video is the policy's (R17).
        convenience init(_ options: CallCenter.ProviderOptions, _ policy: CallPolicy) {
            self.init()
            maximumCallGroups = policy.maximumCallGroups
            maximumCallsPerCallGroup = policy.maximumCallsPerCallGroup
            supportsVideo = options.supportsVideo && policy.canShowVideo
            includesCallsInRecents = options.includesCallsInRecents
            ringtoneSound = options.ringtoneSound
            iconTemplateImageData = options.iconTemplateImage.map { Data($0) }
            supportedHandleTypes = Set(options.handleKinds.map(\.callKitType))
            #if !canImport(Darwin) || compiler(>=6.2)
                if #available(iOS 26.0, *) { supportsAudioTranslation = options.supportsAudioTranslation }  // R118
            #endif
        }
    }

    extension CXHandle {
        /// The handle as CallKit knows it.
        convenience init(_ handle: Handle) {
            self.init(type: handle.kind.callKitType, value: handle.value)
        }
    }

    extension Handle.Kind {
        /// CallKit's name of the kind.
        var callKitType: CXHandle.HandleType {
            switch self {
            case .generic: .generic
            case .phoneNumber: .phoneNumber
            case .emailAddress: .emailAddress
            }
        }
    }

    extension CXCallUpdate {
        /// An update that shows these details and offers what the engine can do (R23).
        convenience init(_ details: CallDetails, _ policy: CallPolicy) {
            self.init()
            remoteHandle = CXHandle(details.handle)
            if let name = details.displayName { localizedCallerName = name }  // R24: else from Contacts
            hasVideo = details.video
            supportsHolding = true
            supportsGrouping = policy.canGroup
            supportsUngrouping = policy.canGroup
            supportsDTMF = policy.canPlayTones
        }
    }

    extension CallPolicy {
        /// Whether calls can be merged: there is room for a second one, and in a group too (R49).
        var canGroup: Bool { maximumCallGroups > 1 && maximumCallsPerCallGroup > 1 }
    }

    extension EndReason {
        /// The reason that CallKit is told (E3, R32).
        var callKitReason: CXCallEndedReason {
            switch self {
            case .localHangup, .remoteEnded, .callerCancelled, .declined: .remoteEnded
            case .unanswered: .unanswered
            case .answeredElsewhere: .answeredElsewhere
            case .declinedElsewhere: .declinedElsewhere
            case .busy, .failed, .unreachable: .failed
            }
        }
    }

    extension CallFailure {
        /// The failure of a report; 3 to 7 are the phone's filters (I2).
        init(report error: any Error) {
            let code = (error as NSError).code
            let name =
                switch code {
                case 1: "unentitled"
                case 2: "callUUIDAlreadyExists"
                case 3: "filteredByDoNotDisturb"
                case 4: "filteredByBlockList"
                case 5: "filteredDuringRestrictedSharingMode"
                case 6: "callIsProtected"
                case 7: "filteredBySensitiveParticipants"
                default: "unknown"
                }
            let kind: Code = (3...7).contains(code) ? .filtered : .refusedByPhone
            self.init(kind, "CallKit did not show the call: \(name) (\(code)).")
        }

        /// The failure of a transaction (T1).
        init(request error: any Error) {
            let code = (error as NSError).code
            let name =
                switch code {
                case 1: "unentitled"
                case 2: "unknownCallProvider"
                case 3: "emptyTransaction"
                case 4: "unknownCallUUID"
                case 5: "callUUIDAlreadyExists"
                case 6: "invalidAction"
                case 7: "maximumCallGroupsReached"
                case 8: "callIsProtected"
                default: "unknown"
                }
            self.init(.refusedByPhone, "CallKit refused the transaction: \(name) (\(code)).")
        }
    }

    extension Data {
        /// Two lower-case digits for each byte.
        var hexadecimal: String {
            let digits = Array("0123456789abcdef".utf8)
            return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
        }
    }

    extension Instant {
        /// The instant as Foundation's date.
        var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
    }
#endif
