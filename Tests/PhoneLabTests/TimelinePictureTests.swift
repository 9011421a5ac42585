// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML
import OffhookTesting
import Testing

/// Timelines as pictures.
@Suite(.timeLimit(.minutes(1))) struct TimelinePictureTests {
    /// A phone on which the app was killed.
    private func brokenCall() async throws -> VirtualPhone {
        let phone = VirtualPhone()
        let app = PlainCallApp { $0.report = .never }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.advance(by: .seconds(10))
        return phone
    }

    @Test("The page is well-formed, needs nothing from elsewhere, and shows broken rules in red with advice")
    func page() async throws {
        let phone = try await brokenCall()
        defer { phone.shutDown() }
        let page = TimelinePicture(phone, title: "Never <reported>").html
        #expect(XMLParser(data: Data(page.utf8)).parse())
        for sign in ["src=", "<script", "@import", "url(", "<link", "href="] {
            #expect(!page.contains(sign), "\(sign)")
        }
        #expect(page.contains("Never &lt;reported&gt;"))
        #expect(page.contains("pill violation") && page.contains("class=\"broken\""))
        #expect(page.contains("prefers-color-scheme: dark"))
        let violation = try #require(phone.violations.first)
        #expect(page.contains("[\(violation.rule)]"))
    }

    @Test("The picture as text has a line for each entry")
    func text() async throws {
        let phone = try await brokenCall()
        defer { phone.shutDown() }
        let lines = TimelinePicture(phone, title: "").text(width: 120).split(separator: "\n")
        #expect(lines.count >= phone.timeline.entries.count)
        #expect(lines.contains { $0.contains("violation: ") })
    }

    @Test("An empty timeline is a page too")
    func empty() {
        let page = TimelinePicture(Timeline(), title: "Nothing").html
        #expect(XMLParser(data: Data(page.utf8)).parse())
    }

    @Test("Two phones stand side by side, the network between them")
    func twoPhones() async throws {
        let (lab, app) = (PhoneLab(), PlainCallApp())
        defer { lab.shutDown() }
        let (alice, bob) = (lab.phone("alice"), lab.phone("bob"))
        try await lab.installAndClose(app.app, on: bob)
        lab.push(to: bob, app.bundle, ["caller": "Alice"])
        alice.user.lock()
        await lab.advance(by: .seconds(1))
        let page = TimelinePicture(lab, title: "Two").html
        #expect(XMLParser(data: Data(page.utf8)).parse())
        #expect(page.contains(">bob's app<") && page.contains(">alice's phone<") && page.contains(">APNs<"))
    }
}
