// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

@testable import CallKit

@Suite struct CXValueTests {
    @Test func handlesOfTheSameKindAndAddressAreEqual() throws {
        let handle = CXHandle(type: .emailAddress, value: "ann@example.com")
        #expect(handle == CXHandle(type: .emailAddress, value: "ann@example.com"))
        #expect(handle.hash == CXHandle(type: .emailAddress, value: "ann@example.com").hash)
        #expect(handle != CXHandle(type: .generic, value: "ann@example.com"))
        #expect(handle != CXHandle(type: .emailAddress, value: "bob@example.com"))
        let data = try NSKeyedArchiver.archivedData(withRootObject: handle, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: CXHandle.self, from: data) == handle)
        #expect(handle.copy() as? CXHandle == handle)
    }

    @Test("I7: only the fields that were set reach the phone")
    func updatesMerge() throws {
        let update = CXCallUpdate()
        #expect(update.boundaryValue == CallUpdateValue())
        #expect(!update.hasVideo && !update.supportsHolding && update.remoteHandle == nil)
        update.supportsDTMF = false
        update.localizedCallerName = "Ann"
        update.remoteHandle = CXHandle(type: .generic, value: "ann")
        var expected = CallUpdateValue()
        expected.supportsDTMF = false
        expected.localizedCallerName = "Ann"
        expected.remoteHandle = HandleValue(type: 1, value: "ann")
        #expect(update.boundaryValue == expected)

        let copy = try #require(update.copy() as? CXCallUpdate)
        update.hasVideo = true
        #expect(copy.boundaryValue == expected)
        #expect(copy.remoteHandle == update.remoteHandle)
    }

    @Test("G1: the defaults of a configuration")
    func configurationDefaults() {
        let configuration = CXProviderConfiguration()
        #expect(configuration.localizedName == nil)
        #expect(configuration.maximumCallGroups == 2 && configuration.maximumCallsPerCallGroup == 5)
        #expect(configuration.includesCallsInRecents && !configuration.supportsVideo)
        #expect(!configuration.supportsAudioTranslation)
        #expect(configuration.supportedHandleTypes.isEmpty)
        #expect(configuration.ringtoneSound == nil && configuration.iconTemplateImageData == nil)
        #expect(CXProviderConfiguration(localizedName: "App").localizedName == "App")
    }

    @Test func configurationsAreCopiedWhole() throws {
        let configuration = CXProviderConfiguration(localizedName: "App")
        configuration.supportedHandleTypes = [.phoneNumber, .generic]
        configuration.ringtoneSound = "ring.caf"
        let copy = try #require(configuration.copy() as? CXProviderConfiguration)
        configuration.maximumCallGroups = 1
        #expect(copy.maximumCallGroups == 2 && copy.localizedName == "App" && copy.ringtoneSound == "ring.caf")
        #expect(copy.supportedHandleTypes == [.generic, .phoneNumber])
        #expect(copy.boundaryValue.supportedHandleTypes == [1, 2])
    }

    @Test func rawValuesAreApples() {
        #expect(CXCallEndedReason(rawValue: 2) == .remoteEnded && CXCallEndedReason(rawValue: 0) == nil)
        #expect(CXTranslationEngine.default.rawValue == 0 && CXTranslationEngine.custom.rawValue == 1)
        #expect(CXPlayDTMFCallAction.ActionType.softPause.rawValue == 2)
        #expect(CXHandle.HandleType.phoneNumber.rawValue == 2)
    }
}

@Suite struct CXErrorTests {
    @Test("I2, T1: errors from the phone are Apple's structs, with Apple's domains and codes")
    func errorsAreStructs() throws {
        let incoming = PhoneError(domain: CXErrorDomainIncomingCall, code: 3).callKitError
        #expect((incoming as? CXErrorCodeIncomingCallError)?.code == .filteredByDoNotDisturb)
        let request = PhoneError(domain: CXErrorDomainRequestTransaction, code: 4).callKitError
        #expect((request as? CXErrorCodeRequestTransactionError)?.code == .unknownCallUUID)
        let general = PhoneError(domain: CXErrorDomain, code: 3).callKitError
        #expect((general as? CXError)?.code == .missingVoIPBackgroundMode)
        let directory = PhoneError(domain: CXErrorDomainCallDirectoryManager, code: 7).callKitError
        #expect((directory as? CXErrorCodeCallDirectoryManagerError)?.code == .currentlyLoading)
        let service = PhoneError(domain: CXErrorDomainNotificationServiceExtension, code: 1).callKitError
        #expect((service as? CXErrorCodeNotificationServiceExtensionError)?.code == .invalidClientProcess)
        #expect((request as NSError).domain == "com.apple.CallKit.error.requesttransaction")
        #expect((request as NSError).code == 4)
    }

    @Test func errorsAreCaughtByCode() {
        func name(_ error: any Error) -> String {
            do { throw error } catch CXErrorCodeIncomingCallError.filteredByBlockList {
                return "blocked"
            } catch let error as CXErrorCodeIncomingCallError {
                return "incoming \(error.errorCode)"
            } catch CXErrorCodeRequestTransactionError.maximumCallGroupsReached {
                return "full"
            } catch {
                return "other"
            }
        }
        #expect(name(CXErrorCodeIncomingCallError(.filteredByBlockList)) == "blocked")
        #expect(name(CXErrorCodeIncomingCallError(.callIsProtected)) == "incoming 6")
        #expect(name(CXErrorCodeRequestTransactionError(.maximumCallGroupsReached)) == "full")
        #expect(name(CXError(.unentitled)) == "other")
        let error = CXErrorCodeIncomingCallError(.unknown, userInfo: [NSLocalizedDescriptionKey: "text"])
        #expect(error.localizedDescription == "text")
    }
}
