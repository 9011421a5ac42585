// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("V8: a headset answers the call, and the voice follows it until it is gone") func bluetooth() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        let headset = AudioDevice.bluetoothHFP(name: "Headset")
        phone.connect(headset)
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer(on: headset)
        await phone.advance(by: .seconds(1))
        #expect(phone.audioSession(of: app.bundle)?.outputPort == "BluetoothHFP")
        try phone.disconnect(headset)
        await phone.settle()
        #expect(phone.audioSession(of: app.bundle)?.outputPort == "Receiver")
    }
}
