// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import Testing

/// The client against Python's `http.server`.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientDifferentialTests {
    private struct Echo: Decodable {
        var method: String
        var target: String
        var fields: [[String]]
        var digest: String
        var port: Int
    }

    /// Runs a body against the other server, of a version, with or without TLS.
    private func withPeer(
        _ version: String, isSecure: Bool = false, _ body: (HTTPClient, String) async throws -> Void
    ) async throws {
        let certificate = try Certificate.selfSigned()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: file) }
        if isSecure { try Data((certificate.certificatePEM + certificate.keyPEM).utf8).write(to: file) }
        let peer = try PythonPeer("http_server.py", [version] + (isSecure ? [file.path] : []))
        let port = try await peer.line()
        try await withLoop { loop async throws in
            let client = HTTPClient(loop: loop, tls: try .client(roots: certificate.certificatePEM))
            try await body(client, "\(isSecure ? "https" : "http")://127.0.0.1:\(port)")
        }
    }

    private func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8($0 % 251) }
    }

    @Test(
        "another server reads every request as it was meant, and its connection is used again",
        arguments: ["HTTP/1.0", "HTTP/1.1"], [false, true])
    func requests(_ version: String, _ isSecure: Bool) async throws {
        try await withPeer(version, isSecure: isSecure) { client, url async throws in
            var ports: Set<Int> = []
            let targets = ["/echo", "/echo?", "/echo?a=b&c=%C3%A4", "/echo//x;y=1,2!$'()*+@:", "/%2e%2e/echo"]
            for (index, target) in targets.enumerated() {
                for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
                    let body = method == "GET" ? [] : bytes([0, 1, 1_000, 65_536, 1_000_000][index])
                    let answer = try await client.send(
                        HTTPClientRequest(
                            method: method, url: url + target, headers: ["X-One": "a, b", "x-one": "c"], body: body))
                    let echo = try JSONDecoder().decode(Echo.self, from: Data(answer.body))
                    #expect(echo.method == method && echo.target == target)
                    #expect(echo.digest == SHA256.hash(body).map { String(format: "%02x", $0) }.joined())
                    let hasLength = method != "GET" && (!body.isEmpty || !["DELETE", "OPTIONS"].contains(method))
                    let host = try #require(url.components(separatedBy: "//").last)
                    #expect(
                        echo.fields == [["Host", host], ["X-One", "a, b"], ["x-one", "c"]]
                            + (hasLength ? [["Content-Length", String(body.count)]] : []))
                    ports.insert(echo.port)
                }
            }
            #expect((ports.count == 1) == (version == "HTTP/1.1"))
        }
    }

    @Test("answers of another server are read: chunked, to the end, interim, without body", arguments: [false, true])
    func answers(_ isSecure: Bool) async throws {
        try await withPeer("HTTP/1.1", isSecure: isSecure) { client, url async throws in
            for count in [0, 1, 2, 999, 65_536, 1_048_576] {
                let chunked = try await client.send(HTTPClientRequest(url: url + "/chunked/\(count)"))
                #expect(chunked.body == bytes(count), "\(count) bytes in chunks")
                #expect(!chunked.headers.contains("X-Trailer"))
                let toTheEnd = try await client.send(HTTPClientRequest(url: url + "/end/\(count)"))
                #expect(toTheEnd.body == bytes(count), "\(count) bytes to the end")
            }
            for path in ["/chunked/1048577", "/end/1048577"] {
                #expect(await outcome(client, url + path).code == .limitExceeded)
            }
            for status in [200, 204, 301, 304, 404, 500, 599] {
                let answer = try await client.send(HTTPClientRequest(url: url + "/status/\(status)"))
                #expect(answer.status == status && answer.body.isEmpty)
            }
            let interim = try await client.send(HTTPClientRequest(url: url + "/interim"))
            #expect(interim.status == 200 && !interim.body.isEmpty)
            let head = try await client.send(HTTPClientRequest(method: "HEAD", url: url + "/echo"))
            #expect(head.body.isEmpty && head.headers["Content-Length"] != "0")
            #expect(await outcome(client, url + "/drop").code == .connectionReset)
            #expect(await outcome(client, url + "/echo").code == nil)
        }
    }
}
