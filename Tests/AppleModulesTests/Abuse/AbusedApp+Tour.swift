// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import VirtualPhone

extension AbusedApp {
    /// The app's phone rings and is answered.
    ///
    /// - Returns: Whether the app answered, and got its audio.
    static func rings(_ phone: VirtualPhone, _ script: Script) async -> Bool {
        let (answers, activations) = (script.count(.answer), script.count(.activate))
        phone.open(bundle)
        await phone.settle()
        let call = UUID()
        script.newest.withLock { $0 }?.report(call)
        await phone.settle()
        try? phone.user.answer(call)
        await phone.advance(by: .seconds(1))
        return script.count(.answer) == answers + 1 && script.count(.activate) == activations + 1
    }

    /// Leads the app through everything that has a callback.
    ///
    /// What fails because of the abuse is passed over.
    static func tour(_ phone: VirtualPhone, _ script: Script) async {
        phone.open(bundle)
        await phone.settle()
        phone.user.goHome()
        guard let token = phone.pushToken(for: bundle) else { return }
        func push() async {
            phone.receivePush(token: token, payload: Data(#"{"caller":"a"}"#.utf8))
            await phone.advance(by: .seconds(1))
        }
        func ask(_ action: (AbusedApp) -> CXAction) async {
            if let app = script.newest.withLock({ $0 }) { app.process.run { app.request(action(app)) } }
            await phone.advance(by: .seconds(1))
        }
        await push()
        let first = phone.snapshot.calls.first?.uuid ?? UUID()
        try? phone.user.answer()
        await phone.advance(by: .seconds(1))
        await ask { _ in CXSetMutedCallAction(call: first, muted: true) }
        let second = UUID()
        await ask { _ in CXStartCallAction(call: second, handle: CXHandle(type: .generic, value: "b")) }
        await ask { app in
            let update = CXCallUpdate()
            update.supportsGrouping = true
            update.supportsHolding = true
            app.provider.reportCall(with: second, updated: update)
            return CXSetGroupCallAction(call: second, callUUIDToGroupWith: first)
        }
        await ask { _ in CXPlayDTMFCallAction(call: second, digits: "1", type: .singleTone) }
        await phone.advance(by: .seconds(10))
        let other = phone.cellular.incoming(from: "1")
        await phone.advance(by: .seconds(1))
        try? phone.user.choose(.holdAndAccept, call: other)
        await phone.advance(by: .seconds(1))
        try? phone.cellular.endRemotely(other)
        await phone.advance(by: .seconds(1))
        try? phone.user.setHeld(false, call: second)
        await phone.advance(by: .seconds(1))
        phone.faults.restartDaemon()
        await phone.advance(by: .seconds(1))
        await push()
        try? phone.user.answer()
        await phone.advance(by: .seconds(1))
        try? phone.user.hangUp()
        await phone.advance(by: .seconds(90))
    }
}
