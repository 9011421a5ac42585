// SPDX-License-Identifier: MIT

import CSQLite
import Glibc
import OffhookCore
import OffhookNet
import OffhookServer
import OffhookWire
import Testing

@Suite("A server that cannot start says why and touches nothing")
struct StartTests {
    private func fault(_ change: (inout ServerConfiguration) -> Void) async -> ServerError? {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = ":memory:"
        change(&configuration)
        let server = OffhookServer(configuration)
        do {
            try await server.start()
            await server.stop()
            return nil
        } catch {
            return error
        }
    }

    @Test("A server that is stopped while it starts does not go on", arguments: 0..<20)
    func stoppedWhileStarting(round: Int) async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = ":memory:"
        let server = OffhookServer(configuration)
        let start = Task { try await server.start() }
        for _ in 0..<round { await Task.yield() }
        await server.stop()
        do {
            try await start.value
            await server.stop()  // the start came after the stop, or the stop after the start
        } catch {
            #expect((error as? ServerError)?.code == .lifecycle)
        }
        #expect(server.port == 0)
        #expect(throws: ServerError.self) { try server.mintToken(user: "alice") }
    }

    @Test("A database file that is none: the error names it and the file stays as it is")
    func noDatabase() async throws {
        let folder = try TestFolder()
        for content in ["this is a text file", String(repeating: "SQLite format 3?", count: 1000), "S"] {
            try folder.write(Array(content.utf8), to: "offhook.sqlite")
            let error = try #require(await fault { $0.database = folder.path("offhook.sqlite") })
            #expect(error.code == .corruptDatabase)
            #expect(error.message.contains(folder.path("offhook.sqlite")))
            #expect(error.message.contains("not touched"))
            #expect(try folder.bytes("offhook.sqlite") == Array(content.utf8))
            #expect(!folder.exists("offhook.sqlite-wal"))
        }
    }

    @Test("A damaged database file, with and without its log: the file stays as it is", arguments: [true, false])
    func damagedDatabase(withLog: Bool) async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        for _ in 0..<50 {
            let call = TestServer.newCall()
            try await alice.ask(.invite(call: call, to: Handle(value: "bob"), video: false))
        }
        let image: TestFolder
        if withLog {
            // The log holds pages for a file whose own pages are gone.
            image = try test.folder.crashImage()
            await test.stop()
            var bytes = try test.folder.bytes("offhook.sqlite")
            for index in 100..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
            try image.write(bytes, to: "offhook.sqlite")
            try image.write(Array("not a log".utf8), to: "offhook.sqlite-wal")
        } else {
            await test.stop()
            image = try TestFolder()
            var bytes = try test.folder.bytes("offhook.sqlite")
            for index in 4096..<bytes.count { bytes[index] ^= 0x5A }
            try image.write(bytes, to: "offhook.sqlite")
        }
        let before = try image.bytes("offhook.sqlite")
        let error = try #require(await fault { $0.database = image.path("offhook.sqlite") })
        #expect(error.code == .corruptDatabase)
        #expect(error.message.contains(image.path("offhook.sqlite")))
        #expect(try image.bytes("offhook.sqlite") == before)
    }

    @Test("Another program's database is not used")
    func foreignDatabase() async throws {
        let folder = try TestFolder()
        try execute("CREATE TABLE recipe (name TEXT)", in: folder.path("offhook.sqlite"))
        let before = try folder.bytes("offhook.sqlite")
        let error = try #require(await fault { $0.database = folder.path("offhook.sqlite") })
        #expect(error.code == .corruptDatabase)
        #expect(error.message.contains("another program"))
        #expect(try folder.bytes("offhook.sqlite") == before)
    }

    @Test("A database of a newer server is not used")
    func newerDatabase() async throws {
        let folder = try TestFolder()
        let test = try await TestServer.start(folder: folder)
        await test.stop()
        try execute("PRAGMA user_version = 99", in: folder.path("offhook.sqlite"))
        let error = try #require(await fault { $0.database = folder.path("offhook.sqlite") })
        #expect(error.code == .storage)
        #expect(error.message.contains("schema 99"))
    }

    private func execute(_ sql: String, in path: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open(path, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    @Test("A database in a folder that does not exist, or that is a folder")
    func noFolder() async throws {
        let folder = try TestFolder()
        let missing = try #require(await fault { $0.database = folder.path("no/such/folder.sqlite") })
        #expect(missing.code == .storage)
        #expect(missing.message.contains("no/such/folder.sqlite"))
        let directory = try #require(await fault { $0.database = folder.path("") })
        #expect(directory.code == .storage)
    }

    @Test("An empty file becomes a database")
    func emptyFile() async throws {
        let folder = try TestFolder()
        try folder.write([], to: "offhook.sqlite")
        #expect(await fault { $0.database = folder.path("offhook.sqlite") } == nil)
    }

    @Test("A busy port is named, and calls in the database are left alone")
    func busyPort() async throws {
        let test = try await TestServer.start()
        let error = try #require(await fault { $0.port = test.server.port })
        #expect(error.code == .network)
        #expect(error.message.contains("\(test.server.port)"))
        await test.stop()
    }

    @Test("Two servers do not go on with the same calls; the next one may when the first has stopped")
    func databaseInUse() async throws {
        let test = try await TestServer.start()
        let database = test.folder.path("offhook.sqlite")
        let error = try #require(await fault { $0.database = database })
        #expect(error.code == .storage)
        #expect(error.message.contains("another server"))
        await test.stop()
        #expect(await fault { $0.database = database } == nil)
    }

    @Test("A link to a database in use is in use too")
    func linkToDatabaseInUse() async throws {
        let test = try await TestServer.start()
        let link = test.folder.path("link.sqlite")
        try #require(symlink(test.folder.path("offhook.sqlite"), link) == 0)
        let error = try #require(await fault { $0.database = link })
        #expect(error.message.contains("another server"))
        await test.stop()
        #expect(await fault { $0.database = link } == nil)
    }

    @Test("A device or a named pipe is no database, and nothing waits for it")
    func noRegularFile() async throws {
        let folder = try TestFolder()
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        for path in [folder.path("pipe"), "/dev/null"] {
            let error = try #require(await fault { $0.database = path })
            #expect(error.code == .storage)
            #expect(error.message.hasPrefix("\(path) is a device or pipe"))
        }
    }

    @Test("An APNs key file that is missing, or no key, is named")
    func badPushKey() async throws {
        let folder = try TestFolder()
        try folder.write(Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8), to: "bad.p8")
        for name in ["missing.p8", "bad.p8", ""] {
            let error = try #require(
                await fault {
                    $0.push = ServerConfiguration.Push(
                        keyFile: folder.path(name), keyID: "ABCDE12345", teamID: "ABCDE12345")
                })
            #expect(error.code == .pushKey)
            #expect(error.message.contains(folder.path(name)))
            #expect(!error.message.contains("AAAA"))
            #expect(!error.message.contains("is empty"))
        }
    }

    @Test("A short token secret is refused")
    func shortSecret() async throws {
        let error = try #require(await fault { $0.tokenSecret = Array("short".utf8) })
        #expect(error.code == .configuration)
    }

    @Test("A TLS certificate that is none is refused")
    func badCertificate() async throws {
        let error = try #require(
            await fault { $0.tls = ServerConfiguration.TLS(certificate: "x", key: "y") })
        #expect(error.code == .network)
    }

    @Test("A server starts once")
    func startsOnce() async throws {
        let test = try await TestServer.start()
        await #expect(throws: ServerError.self) { try await test.server.start() }
        await test.stop()
        await #expect(throws: ServerError.self) { try await test.server.start() }
        #expect(test.server.port == 0)
    }
}
