// SPDX-License-Identifier: MIT

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where the list of peers comes from.
public protocol PeerDirectory: Sendable {
    /// Everybody who can be called, without this user.
    ///
    /// - Throws: An error whose description says what to do.
    func peers() async throws -> [Peer]
}

/// The peers of an Offhook server: `GET /v1/peers`.
public struct ServerPeerDirectory: PeerDirectory {
    private struct Answer: Decodable {
        var peers: [Peer]
        var more: Bool
    }

    private let settings: SamplerSettings

    /// Makes the directory of a server.
    public init(_ settings: SamplerSettings) {
        self.settings = settings
    }

    /// Reads all pages of the list.
    public func peers() async throws -> [Peer] {
        var peers: [Peer] = []
        while true {
            let page = try await page(after: peers.last?.id)
            peers += page.peers
            guard page.more, !page.peers.isEmpty else { return peers }
        }
    }

    private func page(after id: String?) async throws -> Answer {
        guard var parts = URLComponents(string: settings.server + "/v1/peers") else {
            throw PeerDirectoryError(message: settings.problem ?? "The server's address cannot be used.")
        }
        parts.queryItems = id.map { [URLQueryItem(name: "after", value: $0)] }
        guard let url = parts.url else {
            throw PeerDirectoryError(message: "The server's address cannot be used.")
        }
        var request = URLRequest(url: url)
        request.setValue("Bearer \(settings.token)", forHTTPHeaderField: "Authorization")
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await URLSession.shared.data(for: request)
        } catch {
            throw PeerDirectoryError(message: "The server could not be reached. Check the network and the address.")
        }
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200: return try JSONDecoder().decode(Answer.self, from: data)
        case 401: throw PeerDirectoryError(message: "The session token is not valid any more. Sign in again.")
        case let status: throw PeerDirectoryError(message: "The server answered with status \(status ?? 0).")
        }
    }
}

/// Why there is no list of peers.
public struct PeerDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do, for people.
    public var message: String

    /// Makes an error.
    public init(message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
