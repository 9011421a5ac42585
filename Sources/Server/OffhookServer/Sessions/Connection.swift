// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

/// What carries frames to one client; bound to the server's thread.
protocol SocketLink: AnyObject {
    func send(text: String)
    func close(code: Int, reason: String)
}

extension WebSocket: SocketLink {}

extension CloseCode {
    /// The reason that goes with the code.
    var text: String {
        switch self {
        case .goingAway: "the server stops"
        case .tooLarge: "a frame was too large"
        case .tooSlow: "the client reads too slowly"
        case .replaced: "a newer connection of this device took over"
        case .tokenExpired: "the token's time is over"
        case .signedOut: "the device was signed out"
        case .noHello: "no hello came"
        case .malformed: "too many frames that are no message"
        case .tooMany: "too many messages"
        }
    }
}

/// One authenticated WebSocket; bound to the server's thread.
final class Connection {
    let claims: SessionTokens.Claims
    private let link: any SocketLink
    private let limits: ServerConfiguration.Limits
    /// Set by the hello.
    var session: Session?
    /// Frames in a row that were no message.
    var malformedFrames = 0
    /// Closes the connection when no hello comes.
    var helloTimer: (any ServerTimer)?
    /// Closes the connection when the token's time is over.
    var expiryTimer: (any ServerTimer)?
    private(set) var isClosing = false
    private var allowance: Double
    private var lastMessage: TimeSpan

    init(claims: SessionTokens.Claims, link: any SocketLink, limits: ServerConfiguration.Limits, now: TimeSpan) {
        self.claims = claims
        self.link = link
        self.limits = limits
        allowance = Double(limits.messageBurst)
        lastMessage = now
    }

    func send(_ message: ServerMessage) {
        guard !isClosing else { return }
        link.send(text: WireCodec.encode(message))
    }

    func close(_ code: CloseCode) {
        guard !isClosing else { return }
        isClosing = true
        link.close(code: code.rawValue, reason: code.text)
    }

    /// Ends the timers.
    func cancelTimers() {
        helloTimer?.cancel()
        expiryTimer?.cancel()
    }

    /// Takes one message from the allowance: false when there is none left.
    func mayReceive(at now: TimeSpan) -> Bool {
        let elapsed = (now - lastMessage).seconds
        lastMessage = now
        allowance = min(Double(limits.messageBurst), allowance + elapsed * Double(limits.messagesPerSecond))
        guard allowance >= 1 else { return false }
        allowance -= 1
        return true
    }
}
