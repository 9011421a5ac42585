// SPDX-License-Identifier: MIT

import CallKit
import VirtualPhone

/// Implements everything, writes down what it is called with, and completes what it performs.
final class WholeDelegate: NSObject, CXProviderDelegate, Sendable {
    private let entries = Locked<[String]>([])
    private let takesTransactions: Bool

    init(takesTransactions: Bool = false) {
        self.takesTransactions = takesTransactions
    }

    var log: [String] { entries.withLock { $0 } }
    private func note(_ text: String) {
        entries.withLock { $0.append(text) }
    }

    func providerDidReset(_ provider: CXProvider) { note("reset") }
    func providerDidBegin(_ provider: CXProvider) { note("begin") }
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        note("execute \(transaction.actions.count)")
        if takesTransactions { transaction.actions.forEach { $0.fulfill() } }
        return takesTransactions
    }
    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        note("start \(action.handle.value) \(action.isVideo) \(action.contactIdentifier ?? "-")")
        action.fulfill(withDateStarted: Date(timeIntervalSinceReferenceDate: 1))
    }
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        note("answer")
        action.fulfill(withDateConnected: Date(timeIntervalSinceReferenceDate: 2))
    }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        note("end")
        action.fulfill(withDateEnded: Date(timeIntervalSinceReferenceDate: 3))
    }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        note("hold \(action.isOnHold)")
        action.fail()
    }
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        note("mute \(action.isMuted)")
        action.fulfill()
        action.fulfill()
        action.fail()
    }
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) {
        note("group \(action.callUUIDToGroupWith == nil ? "leave" : "join")")
        action.fulfill()
    }
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        note("tones \(action.digits) \(action.type.rawValue)")
        action.fulfill()
    }
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        note("translate \(action.localLanguage) \(action.remoteLanguage)")
        action.fulfill(using: .custom)
    }
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        note("timed out \(type(of: action)) \(action.isComplete)")
        action.fulfill()
    }
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        note("activate \(audioSession === AVAudioSession.sharedInstance())")
    }
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { note("deactivate") }
}

/// Implements what it must, and one optional method that calls another's default on itself.
final class BareDelegate: NSObject, CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {}
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        self.provider(provider, perform: CXAnswerCallAction(call: action.callUUID))
        action.fulfill()
    }
}
