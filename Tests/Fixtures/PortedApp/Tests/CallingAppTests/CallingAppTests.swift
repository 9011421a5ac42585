// SPDX-License-Identifier: MIT

#if os(Linux)
    import CallKit
    import Foundation
    import Testing
    import UIKit
    import VirtualPhone

    @testable import CallingApp

    private let bundle = "com.example.calling"

    /// A phone with the app, opened once and left: it has a push token.
    private func phone() async throws -> VirtualPhone {
        let phone = VirtualPhone()
        phone.install(App(bundleIdentifier: bundle, displayName: "Calling") { AppDelegate() })
        phone.open(bundle)
        try await phone.wait { $0.pushTokens[bundle] != nil }
        phone.user.goHome()
        await phone.settle()
        return phone
    }

    @Suite(.serialized) struct CallingAppTests {
        @Test func pushRingsAndIsAnswered() async throws {
            let phone = try await phone()
            defer { phone.shutDown() }
            let token = try #require(phone.pushToken(for: bundle))
            phone.receivePush(token: token, payload: Data(#"{"handle":"+14155550100"}"#.utf8))
            try await phone.wait { !$0.screen.incoming.isEmpty }
            try phone.user.answer()
            await phone.advance(by: .seconds(1))
            #expect(phone.snapshot.isCallAudioActive)
            try phone.user.hangUp()
            await phone.settle()
            #expect(phone.snapshot.calls.isEmpty && phone.violations.isEmpty && phone.deaths.isEmpty)
            #expect(phone.donations(of: bundle).map(\.handles) == [["+14155550100"]])
        }

        @Test func pushWakesTheClosedApp() async throws {
            let phone = try await phone()
            defer { phone.shutDown() }
            phone.close(bundle)
            let token = try #require(phone.pushToken(for: bundle))
            phone.receivePush(token: token, payload: Data(#"{"handle":"+14155550100"}"#.utf8))
            try await phone.wait { !$0.screen.incoming.isEmpty }
            await phone.advance(by: .seconds(10))
            #expect(phone.violations.isEmpty && phone.deaths.map(\.code) == ["closed by the user"])
        }

        @Test func logsWithoutNumbers() async throws {
            let phone = try await phone()
            defer { phone.shutDown() }
            phone.user.setDoNotDisturb(true)
            let token = try #require(phone.pushToken(for: bundle))
            phone.receivePush(token: token, payload: Data(#"{"handle":"+14155550100"}"#.utf8))
            try await phone.wait { _ in phone.log(of: bundle).contains { $0.message.contains("Do Not Disturb") } }
            #expect(phone.log(of: bundle).first?.message == "launched on iOS 26.4")
            #expect(!phone.log(of: bundle).contains { $0.message.contains("+1415") })
        }
    }
#endif
