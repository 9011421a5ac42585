// SPDX-License-Identifier: MIT

@testable import CallKit
import Foundation
import Testing
import VirtualPhone

@Suite struct CXActionTests {
    private let call = UUID()
    private let other = UUID()

    private var everyAction: [CXAction] {
        let start = CXStartCallAction(call: call, handle: CXHandle(type: .phoneNumber, value: "+15550100"))
        start.contactIdentifier = "contact"
        start.isVideo = true
        return [
            start, CXAnswerCallAction(call: call), CXEndCallAction(call: call),
            CXSetHeldCallAction(call: call, onHold: true), CXSetMutedCallAction(call: call, muted: true),
            CXSetGroupCallAction(call: call, callUUIDToGroupWith: other),
            CXPlayDTMFCallAction(call: call, digits: "12#", type: .hardPause),
            CXSetTranslatingCallAction(call: call, isTranslating: true, localLanguage: "en", remoteLanguage: "de"),
            CXCallAction(call: call), CXAction(),
        ]
    }

    @Test("T6: the deadline is fixed when the action is made, in the phone's time, by its kind")
    func deadlines() {
        let app = TestApp()
        app.process.run {
            for action in everyAction {
                let expected: TimeInterval =
                    switch action {
                    case is CXStartCallAction: 600
                    case is CXAnswerCallAction: 60
                    default: 5
                    }
                #expect(action.timeoutDate.timeIntervalSince(app.phone.now) == expected, "\(type(of: action))")
            }
        }
    }

    @Test func everyActionSurvivesAnArchive() throws {
        for action in everyAction {
            let data = try NSKeyedArchiver.archivedData(withRootObject: action, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: type(of: action), from: data)
            #expect(read?.boundaryValue == action.boundaryValue, "\(type(of: action))")
        }
    }

    @Test func archivesOfOtherThingsAreNoActions() throws {
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        coder.encode(NSString(string: call.uuidString), forKey: "callUUID")
        coder.finishEncoding()
        let reader = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
        #expect(CXAction(coder: reader) == nil)
        #expect(CXStartCallAction(coder: reader) == nil)
        #expect(CXPlayDTMFCallAction(coder: reader) == nil)
        #expect(CXSetTranslatingCallAction(coder: reader) == nil)
        #expect(CXTransaction(coder: reader) == nil)
    }

    @Test("T10: a copy is an action of its own with the same UUID, deadline and values")
    func copies() throws {
        for action in everyAction {
            let copy = try #require(action.copy() as? CXAction)
            #expect(copy !== action)
            #expect(type(of: copy) == type(of: action))
            #expect(copy.boundaryValue == action.boundaryValue)
        }
    }

    @Test("T7: completing an action that no provider performs does nothing")
    func actionsOfNobodyStayIncomplete() {
        let action = CXEndCallAction(call: call)
        action.fulfill()
        action.fail()
        action.fulfill(withDateEnded: Date())
        #expect(!action.isComplete)
    }

    @Test func valuesCanBeChangedUntilTheRequest() {
        let held = CXSetHeldCallAction(call: call, onHold: false)
        held.isOnHold = true
        let muted = CXSetMutedCallAction(call: call, muted: false)
        muted.isMuted = true
        let group = CXSetGroupCallAction(call: call, callUUIDToGroupWith: other)
        group.callUUIDToGroupWith = nil
        let tones = CXPlayDTMFCallAction(call: call, digits: "1", type: .singleTone)
        tones.digits = "2"
        tones.type = .softPause
        #expect(
            [held, muted, group, tones].map(\.boundaryValue.kind) == [
                .setHeld(true), .setMuted(true), .setGroup(with: nil), .playDTMF(digits: "2", type: 2),
            ])
    }

    @Test("T10: a transaction is complete when all its actions are; an empty one is")
    func transactions() throws {
        let empty = CXTransaction()
        #expect(empty.isComplete && empty.actions.isEmpty)
        let answer = CXAnswerCallAction(call: call)
        let transaction = CXTransaction(action: answer)
        transaction.addAction(CXEndCallAction(call: other))
        #expect(!transaction.isComplete)
        #expect(transaction.actions.count == 2 && transaction.actions.first === answer)

        let copy = try #require(transaction.copy() as? CXTransaction)
        #expect(copy !== transaction && copy.actions.first !== answer)
        #expect(copy.boundaryValue == transaction.boundaryValue)

        let whole = CXTransaction(actions: everyAction)
        let data = try NSKeyedArchiver.archivedData(withRootObject: whole, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: CXTransaction.self, from: data)
        #expect(read?.boundaryValue == whole.boundaryValue)
    }
}
