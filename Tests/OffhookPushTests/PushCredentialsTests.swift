// SPDX-License-Identifier: MIT

import Glibc
import OffhookNet
import OffhookPush
import Testing

@Suite struct PushCredentialsTests {
    /// Runs the closure with the path of a file that holds the text.
    private func withFile<Result>(_ text: String, _ body: (String) throws -> Result) throws -> Result {
        var template = Array("/tmp/offhook-push-key-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(path) }
        let bytes = Array(text.utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        return try body(path)
    }

    @Test func aKeyFileIsRead() throws {
        let key = try ES256PrivateKey.generate()
        try withFile(key.pem) { path in
            let credentials = try PushCredentials(keyID: "KEY0123456", teamID: "TEAM012345", path: path)
            #expect(credentials.keyID == "KEY0123456")
            #expect(credentials.teamID == "TEAM012345")
        }
    }

    @Test("A .p8 that is no key is a clear error that names the file and what is expected")
    func noKey() throws {
        try withFile("this is not a key\n") { path in
            let error = #expect(throws: NetError.self) {
                try PushCredentials(keyID: "KEY0123456", teamID: "TEAM012345", path: path)
            }
            #expect(error?.code == .crypto)
            #expect(error?.message.contains(path) == true)
            #expect(error?.message.contains("-----BEGIN PRIVATE KEY-----") == true)
        }
    }

    @Test func aFileThatIsMissingSaysSo() {
        let error = #expect(throws: NetError.self) {
            try PushCredentials(keyID: "KEY0123456", teamID: "TEAM012345", path: "/nowhere/AuthKey.p8")
        }
        #expect(error?.message.contains("/nowhere/AuthKey.p8 cannot be read") == true)
    }

    @Test(arguments: ["", "KEY\"", "KEY 1", "KEY\n", "KÉY"])
    func anIDOfOtherCharactersIsRefused(id: String) throws {
        let key = try ES256PrivateKey.generate()
        #expect(throws: NetError.self) { try PushCredentials(keyID: id, teamID: "TEAM012345", key: key) }
        #expect(throws: NetError.self) { try PushCredentials(keyID: "KEY0123456", teamID: id, key: key) }
    }

    @Test func applesHostsAreConstants() {
        #expect(PushEndpoint.production.host == "api.push.apple.com")
        #expect(PushEndpoint.development.host == "api.sandbox.push.apple.com")
        #expect(PushEndpoint.production.port == 443)
        #expect(PushEndpoint.development.port == 443)
    }

    @Test func aPushPrintsItselfWithoutPayloadAndToken() {
        let push = VoIPPush(
            token: "00112233445566778899", bundleID: "com.example.app", payload: Array("{\"secret\":1}".utf8),
            apnsID: "11111111-2222-3333-4444-555555555555")
        #expect(!"\(push)".contains("secret"))
        #expect(!"\(push)".contains("0011223344"))
    }
}
