// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookPush
import OffhookWire

/// Sends VoIP pushes with OffhookPush: one sender per environment, made with its first push.
final class APNsGateway: PushGateway {
    private struct State {
        var senders: [PushEndpoint: PushSender] = [:]
        var isClosed = false
    }

    private let credentials: PushCredentials
    private let standIn: PushEndpoint?
    private let state = Guarded(State())

    /// Reads the key.
    ///
    /// - Throws: ``ServerError`` of code `pushKey` or `configuration` that names the file or option.
    init(_ push: ServerConfiguration.Push) throws(ServerError) {
        do {
            credentials = try PushCredentials(keyID: push.keyID, teamID: push.teamID, path: push.keyFile)
        } catch {
            throw ServerError(.pushKey, error.message)
        }
        if let endpoint = push.endpoint {
            let roots = push.rootsFile
            standIn = try APNsGateway.endpoint(
                endpoint, roots: roots == nil ? nil : TextFile.read(roots ?? "", as: "The certificates to trust"))
        } else {
            standIn = nil
        }
    }

    /// `https://HOST:PORT`, with or without a slash at the end.
    private static func endpoint(_ url: String, roots: String?) throws(ServerError) -> PushEndpoint {
        let fault = ServerError(.configuration, "The address of a stand-in for APNs is https://HOST:PORT, not \(url).")
        guard url.hasPrefix("https://") else { throw fault }
        var authority = url.dropFirst("https://".count)
        if authority.last == "/" { authority.removeLast() }
        guard let colon = authority.lastIndex(of: ":"),
            let port = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(port)
        else { throw fault }
        let host = String(authority[..<colon])
        guard !host.isEmpty, !host.contains("/"), !host.contains("@") else { throw fault }
        return .custom(host: host, port: port, roots: roots)
    }

    func send(
        _ push: InvitationPush, within limit: Duration, completion: @escaping @Sendable (PushOutcome) -> Void
    ) {
        // Apple's hosts are constants; which of the two, the token's environment says.
        let endpoint = standIn ?? (push.target.environment == .production ? .production : .development)
        let sender: PushSender
        do {
            sender = try self.sender(for: endpoint)
        } catch {
            completion(.unreachable(why: error.message))
            return
        }
        let id = SecureRandom.bytes(16).reduce(into: (high: UInt64(0), low: UInt64(0))) { id, byte in
            id = (id.high << 8 | id.low >> 56, id.low << 8 | UInt64(byte))
        }
        let request = VoIPPush(
            token: push.target.token, bundleID: push.target.bundle, payload: push.payload, expiration: .immediate,
            apnsID: CallID(high: id.high, low: id.low).description)
        Task { completion(await sender.send(request, deadline: limit)) }
    }

    private func sender(for endpoint: PushEndpoint) throws(NetError) -> PushSender {
        try state.withLock { state throws(NetError) in
            guard !state.isClosed else { throw NetError(.closed, "the server stops") }
            if let sender = state.senders[endpoint] { return sender }
            let sender = try PushSender(
                configuration: PushSender.Configuration(endpoint: endpoint, credentials: credentials))
            state.senders[endpoint] = sender
            return sender
        }
    }

    func close() async {
        let senders = state.withLock { state in
            state.isClosed = true
            defer { state.senders = [:] }
            return Array(state.senders.values)
        }
        for sender in senders { sender.stop() }
    }
}
