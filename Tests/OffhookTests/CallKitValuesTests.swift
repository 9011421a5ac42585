// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCore
import Testing

@testable import Offhook

/// How Offhook's values and CallKit's translate into each other.
@Suite struct CallKitValuesTests {
    @Test("R32, E3: every reason has CallKit's nearest") func endReasons() {
        let expected: [EndReason: CXCallEndedReason] = [
            .localHangup: .remoteEnded, .declined: .remoteEnded, .remoteEnded: .remoteEnded,
            .callerCancelled: .remoteEnded, .unanswered: .unanswered, .busy: .failed, .failed: .failed,
            .answeredElsewhere: .answeredElsewhere, .declinedElsewhere: .declinedElsewhere, .unreachable: .failed,
        ]
        for reason in EndReason.allCases { #expect(reason.callKitReason == expected[reason], "\(reason)") }
    }

    @Test("R25, I2: the phone's filters are told apart from its refusals", arguments: 0...8) func reportErrors(
        _ code: Int
    ) {
        let error = NSError(domain: CXErrorDomainIncomingCall, code: code)
        let failure = CallFailure(report: error)
        #expect(failure.code == ((3...7).contains(code) ? .filtered : .refusedByPhone))
        #expect(failure.message.contains("(\(code))"))
    }

    @Test("T1: a refused transaction names CallKit's error") func requestErrors() {
        let failure = CallFailure(request: CXErrorCodeRequestTransactionError(.maximumCallGroupsReached))
        #expect(
            failure == CallFailure(.refusedByPhone, "CallKit refused the transaction: maximumCallGroupsReached (7)."))
    }

    @Test("P11: one identity in push, socket and CallKit") func identities() {
        for _ in 0..<100 {
            let uuid = UUID()
            #expect(CallID(uuid).uuid == uuid)
            #expect(CallID(uuid).description == uuid.uuidString.lowercased())
            #expect(ActionID(uuid).uuid == uuid)
        }
    }

    @Test("R17: one call at a time, and what the options say") func configuration() {
        var options = CallCenter.ProviderOptions()
        options.supportsVideo = true
        options.includesCallsInRecents = false
        options.ringtoneSound = "ring.caf"
        options.iconTemplateImage = [1, 2, 3]
        options.handleKinds = [.phoneNumber, .emailAddress]
        let configuration = CXProviderConfiguration(options)
        #expect(configuration.maximumCallGroups == 1)
        #expect(configuration.maximumCallsPerCallGroup == 1)
        #expect(configuration.supportsVideo)
        #expect(!configuration.includesCallsInRecents)
        #expect(configuration.ringtoneSound == "ring.caf")
        #expect(configuration.iconTemplateImageData == Data([1, 2, 3]))
        #expect(configuration.supportedHandleTypes == [.phoneNumber, .emailAddress])
    }

    @Test("R23, R24: a name is shown when there is one, else Contacts may know") func updates() {
        let named = CXCallUpdate(CallDetails(handle: Handle(value: "alice"), displayName: "Alice", video: true))
        #expect(named.localizedCallerName == "Alice")
        #expect(named.remoteHandle?.value == "alice")
        #expect(named.hasVideo && named.supportsHolding && !named.supportsDTMF && !named.supportsGrouping)
        #expect(CXCallUpdate(CallDetails(handle: Handle(value: "alice"))).localizedCallerName == nil)
    }

    @Test("R55: a token becomes lower-case digits of full length") func hexadecimal() {
        #expect(Data([0, 1, 0xAB, 0xFF]).hexadecimal == "0001abff")
        #expect(Data().hexadecimal == "")
    }
}
