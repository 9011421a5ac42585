// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import Testing
import VirtualAPNs

@Suite struct ConsoleTests {
    /// A gateway with its console, and a client for it.
    final class World {
        let log = GatewayLog(capacity: 100)
        let gateway: Gateway
        let console: GatewayConsole
        let client: HTTPClient

        init() throws {
            let log = log
            gateway = try Gateway { $0.onEvent = { log.add($0) } }
            console = try GatewayConsole(gateway: gateway.apns, log: log, certificateFile: "/somewhere/root.pem")
            client = HTTPClient(loop: try EventLoop(name: "console-client"))
        }

        func call(
            _ method: String, _ path: String, _ body: String = "", headers: HTTPHeaders = [:]
        ) async throws -> (status: Int, text: String) {
            let response = try await client.send(
                HTTPClientRequest(
                    method: method, url: "http://127.0.0.1:\(console.port)\(path)", headers: headers,
                    body: Array(body.utf8)))
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }

        func page(_ query: String) async throws -> GatewayLog.Page {
            try JSONDecoder().decode(GatewayLog.Page.self, from: Data(try await call("GET", "/log?" + query).text.utf8))
        }
    }

    @Test func whatArrivedIsReadAsJSON() async throws {
        let world = try World()
        let sender = try await RawSender(world.gateway.apns)
        _ = try await sender.send(world.gateway.push().with("apns-collapse-id", "call-1"))
        _ = try await sender.send(world.gateway.push().with("apns-topic", nil))
        let delivered = try await world.page("kind=delivered&token=\(Gateway.token.uppercased())")
        let push = try #require(delivered.events.first?.push)
        #expect(delivered.events.count == 1)
        #expect(push.payload == "{\"call\":1}")
        #expect(push.topic == "com.example.app.voip")
        #expect(push.type == "voip")
        #expect(push.priority == 10)
        #expect(push.expiration == 0)
        #expect(push.collapseID == "call-1")
        #expect(push.id == "11111111-2222-3333-4444-555555555555")
        let refused = try await world.page("kind=refused")
        #expect(refused.events.map(\.reason) == ["MissingTopic"])
        #expect(refused.events.map(\.status) == [400])
        #expect(refused.events.first?.explanation?.contains("apns-topic") == true)
        let all = try await world.page("")
        #expect(all.events.map(\.number) == Array(1...all.events.count))
        #expect(try await world.page("after=\(all.next)").events.isEmpty)
        #expect(try await world.page("limit=2").next == 2)
        #expect(try await world.call("DELETE", "/log").status == 204)
        #expect(try await world.page("").events.isEmpty)
    }

    @Test func aReaderWaitsForWhatHasNotArrivedYet() async throws {
        let world = try World()
        async let page = world.page("kind=accepted&wait=60")
        let sender = try await RawSender(world.gateway.apns)
        _ = try await sender.send(world.gateway.push())
        #expect(try await page.events.map(\.kind) == [.accepted])
    }

    @Test func aReaderWhoseTimeIsOverGetsAnEmptyPage() {
        let log = GatewayLog()
        let pages = Guarded<[GatewayLog.Page]>([])
        let ticket = log.wait(GatewayLog.Filter()) { page in pages.withLock { $0.append(page) } }
        #expect(pages.withLock { $0.isEmpty })
        log.giveUp(ticket)
        log.giveUp(ticket)
        #expect(pages.withLock { $0.map(\.events.count) } == [0])
    }

    @Test func aFullLogForgetsTheOldest() {
        let log = GatewayLog(capacity: 8)
        for _ in 0..<100 { log.add(GatewayEvent(time: 1, connection: 1, kind: .disconnected)) }
        let page = log.page(GatewayLog.Filter())
        #expect((8...10).contains(page.events.count))
        #expect(page.events.last?.number == 100)
        #expect(page.oldest == page.events.first?.number)
        #expect(page.next == 100)
    }

    @Test func faultsAreOrderedListedAndForgotten() async throws {
        let world = try World()
        let sender = try await RawSender(world.gateway.apns)
        #expect(try await world.call("POST", "/faults", "503\n429*2@\(Gateway.token)\n").status == 204)
        #expect(try await world.call("GET", "/faults").text.split(separator: "\n").count == 2)
        #expect(try await sender.send(world.gateway.push()).status == 503)
        #expect(try await sender.send(world.gateway.push()).reason == "TooManyRequests")
        #expect(try await world.call("DELETE", "/faults").status == 204)
        #expect(try await sender.send(world.gateway.push()).status == 200)
        let wrong = try await world.call("POST", "/faults", "5o3")
        #expect(wrong.status == 400)
        #expect(wrong.text.contains("'5o3'"))
        #expect(try await world.call("POST", "/faults").status == 400)
    }

    @Test func connectionsAndClockAreSteered() async throws {
        let world = try World()
        let sender = try await RawSender(world.gateway.apns)
        _ = try await sender.send(world.gateway.push())
        await sender.until { $0.limits == [1, 1_000] }
        #expect(try await world.call("PUT", "/streams", "1").status == 204)
        await sender.until { $0.limits == [1, 1_000, 1] }
        #expect(try await world.call("PUT", "/streams", "normal").status == 204)
        await sender.until { $0.limits == [1, 1_000, 1, 1_000] }
        #expect(try await world.call("PUT", "/clock", "+2h\n").status == 204)
        #expect(try await sender.send(world.gateway.push()).reason == "ExpiredProviderToken")
        #expect(try await world.call("POST", "/goaway", "Shutdown").status == 204)
        await sender.until { $0.isClosed }
        #expect(sender.goAways == [Array("{\"reason\":\"Shutdown\"}".utf8)])
        let second = try await RawSender(world.gateway.apns)
        #expect(try await second.send(world.gateway.push()).reason == "ExpiredProviderToken")
        #expect(try await world.call("POST", "/disconnect").status == 204)
        await second.until { $0.isClosed }
        for (path, body) in [("/streams", "0"), ("/streams", "x"), ("/clock", "soon"), ("/clock", "")] {
            #expect(try await world.call("PUT", path, body).status == 400)
        }
        #expect(try await world.call("POST", "/goaway", "two words").status == 400)
    }

    @Test func devicesComeGoAndDie() async throws {
        let world = try World()
        let sender = try await RawSender(world.gateway.apns)
        var push = world.gateway.push()
        push.path = "/3/device/abcd"
        #expect(try await world.call("PUT", "/devices/ABCD").status == 204)
        #expect(try await sender.send(push).status == 200)
        #expect(try await world.call("PUT", "/devices/abcd?state=away").status == 204)
        #expect(try await sender.send(push).status == 200)
        #expect(try await world.page("kind=missed").events.count == 1)
        #expect(try await world.call("GET", "/devices").text.contains("\"state\":\"away\""))
        #expect(try await world.call("PUT", "/devices/abcd?state=unregistered&since=5").status == 204)
        #expect(try await sender.send(push).body == "{\"reason\":\"Unregistered\",\"timestamp\":5}")
        #expect(try await world.call("PUT", "/devices/abcd?environment=production").status == 204)
        #expect(try await sender.send(push).reason == "BadDeviceToken")
        #expect(try await world.call("PUT", "/devices/abcd?environment=development&kind=notification").status == 204)
        #expect(try await sender.send(push).reason == "DeviceTokenNotForTopic")
        #expect(try await world.call("DELETE", "/devices/abcd").status == 204)
        #expect(try await sender.send(push).reason == "BadDeviceToken")
        for path in ["/devices/xyz", "/devices/abc", "/devices/abcd?state=asleep", "/devices/abcd?mood=good"] {
            #expect(try await world.call("PUT", path).status == 400)
        }
    }

    @Test func thePageAsksNothingOfTheNetwork() async throws {
        let world = try World()
        let response = try await world.client.send(HTTPClientRequest(url: "http://127.0.0.1:\(world.console.port)/"))
        let page = String(decoding: response.body, as: UTF8.self)
        #expect(response.status == 200)
        #expect(response.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(page.contains("<title>offhook apns</title>"))
        for word in ["http://", "src=", "@import", "url(", "innerHTML"] { #expect(!page.contains(word), "\(word)") }
        #expect(page.components(separatedBy: "https://").count == 2, "only the gateway's own address, in a text")
    }

    @Test func whereTheGatewayIsStandsInAbout() async throws {
        let world = try World()
        let (status, text) = try await world.call("GET", "/about")
        #expect(status == 200)
        let about = try JSONDecoder().decode(GatewayConsole.About.self, from: Data(text.utf8))
        #expect(about.port == world.gateway.apns.port)
        #expect(about.certificate == world.gateway.apns.rootCertificatePEM)
        #expect(about.certificateFile == "/somewhere/root.pem")
        #expect(about.keys == [Gateway.keyID: Gateway.team])
        #expect(about.bundles == [Gateway.bundle: Gateway.team])
    }

    @Test("A page of another site neither reads nor steers the gateway") func otherSites() async throws {
        let world = try World()
        let own = "http://127.0.0.1:\(world.console.port)"
        #expect(try await world.call("DELETE", "/faults", headers: ["Origin": own]).status == 204)
        for origin in ["https://example.com", "null", "http://127.0.0.1:1", own + ".example.com"] {
            #expect(try await world.call("DELETE", "/faults", headers: ["Origin": origin]).status == 403)
        }
        for (host, status) in [("example.com", 403), ("myhost:1", 403), ("localhost:1", 200), ("[::1]:1", 200)] {
            let curl = try SenderProcess.curl([
                "--silent", "--output", "/dev/null", "--write-out", "%{http_code}\\n", "-H", "Host: \(host)",
                "http://127.0.0.1:\(world.console.port)/log",
            ])
            #expect(try await curl.line() == "\(status)", "\(host)")
        }
    }

    @Test(arguments: [
        ("GET", "/nothing", 404), ("GET", "/log/1", 404), ("POST", "/log", 405), ("GET", "/streams", 405),
        ("PATCH", "/devices/ab", 405), ("GET", "/log?after=x", 400), ("GET", "/log?kind=good", 400),
        ("GET", "/log?wait=61", 400), ("GET", "/log?limit=0", 400), ("GET", "/log?colour=red", 400),
        ("GET", "/log?after=-1", 400), ("POST", "/", 405),
    ])
    func aWrongRequestIsExplained(method: String, path: String, status: Int) async throws {
        let world = try World()
        let answer = try await world.call(method, path)
        #expect(answer.status == status)
        #expect(!answer.text.isEmpty)
    }
}
