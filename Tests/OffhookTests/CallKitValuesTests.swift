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

    @Test("R16, R17, R118: what the options say, and the policy that follows from them") func configuration() {
        var options = CallCenter.ProviderOptions()
        options.supportsVideo = true
        options.supportsAudioTranslation = true
        options.includesCallsInRecents = false
        options.ringtoneSound = "ring.caf"
        options.iconTemplateImage = [1, 2, 3]
        options.handleKinds = [.phoneNumber, .emailAddress]
        var policy = CallPolicy()
        policy.maximumCallGroups = 2
        policy.maximumCallsPerCallGroup = 5
        policy.canShowVideo = true
        let configuration = CXProviderConfiguration(options, policy)
        #expect(configuration.maximumCallGroups == 2)
        #expect(configuration.maximumCallsPerCallGroup == 5)
        #expect(configuration.supportsVideo)
        #expect(configuration.supportsAudioTranslation)
        #expect(!configuration.includesCallsInRecents)
        #expect(configuration.ringtoneSound == "ring.caf")
        #expect(configuration.iconTemplateImageData == Data([1, 2, 3]))
        #expect(configuration.supportedHandleTypes == [.phoneNumber, .emailAddress])
        policy.canShowVideo = false
        #expect(!CXProviderConfiguration(options, policy).supportsVideo)
    }

    @Test("R17, C9: one call at a time unless the app wants more; what calls can do is the media engine's")
    func completed() {
        var configuration = CallCenter.Configuration(
            serverURL: "", sessionToken: { "" }, deviceID: "", bundleIdentifier: "")
        let plain = configuration.completed(for: MediaCapabilities()).policy
        #expect(plain.maximumCallGroups == 1 && plain.maximumCallsPerCallGroup == 1)
        #expect(!plain.canPlayTones && !plain.canShowVideo)
        configuration.provider.maximumCallGroups = 3
        configuration.provider.maximumCallsPerCallGroup = -1
        let rich = configuration.completed(for: MediaCapabilities(video: true, dtmf: true)).policy
        #expect(rich.maximumCallGroups == 3 && rich.maximumCallsPerCallGroup == 1)
        #expect(rich.canPlayTones && rich.canShowVideo)
    }

    @Test("R23, R24: a name is shown when there is one, else Contacts may know") func updates() {
        let details = CallDetails(handle: Handle(value: "alice"), displayName: "Alice", video: true)
        let named = CXCallUpdate(details, CallPolicy())
        #expect(named.localizedCallerName == "Alice")
        #expect(named.remoteHandle?.value == "alice")
        #expect(named.hasVideo && named.supportsHolding && !named.supportsDTMF && !named.supportsGrouping)
        #expect(!named.supportsUngrouping)
        #expect(CXCallUpdate(CallDetails(handle: Handle(value: "alice")), CallPolicy()).localizedCallerName == nil)
    }

    @Test("R23, R49, R50: merging and tones are offered when there are groups and an engine for them")
    func capabilities() {
        var policy = CallPolicy()
        policy.maximumCallsPerCallGroup = 5
        policy.canPlayTones = true
        let details = CallDetails(handle: Handle(value: "alice"))
        #expect(!CXCallUpdate(details, policy).supportsGrouping)
        #expect(CXCallUpdate(details, policy).supportsDTMF)
        policy.maximumCallGroups = 2
        let update = CXCallUpdate(details, policy)
        #expect(update.supportsGrouping && update.supportsUngrouping)
    }

    @Test("R55: a token becomes lower-case digits of full length") func hexadecimal() {
        #expect(Data([0, 1, 0xAB, 0xFF]).hexadecimal == "0001abff")
        #expect(Data().hexadecimal == "")
    }
}
