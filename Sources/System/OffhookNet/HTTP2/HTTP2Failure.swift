// SPDX-License-Identifier: MIT

/// Why a request got no answer.
public enum HTTP2Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request never left this end; it may be sent again on another connection.
    case notSent(NetError)
    /// The peer says that it did not look at the request (REFUSED_STREAM, or GOAWAY with a lower stream).
    case refused
    /// The peer ended the stream; whether it acted on the request is unknown.
    case reset(HTTP2ErrorCode)
    /// No answer came in time; whether the peer acted on the request is unknown.
    case timedOut(Duration)
    /// The connection was lost after the request went out; whether the peer acted on it is unknown.
    case connectionLost(NetError)

    /// Whether the peer certainly did not act on the request (RFC 9113 §8.7).
    public var isSafeToRepeat: Bool {
        switch self {
        case .notSent, .refused: true
        case .reset, .timedOut, .connectionLost: false
        }
    }

    /// What happened, for a person.
    public var description: String {
        switch self {
        case .notSent(let error): "the request was not sent: \(error.message)"
        case .refused: "the server refused the stream without looking at the request"
        case .reset(let code): "the server ended the stream with \(code)"
        case .timedOut(let limit): "no answer came within \(limit)"
        case .connectionLost(let error): "the connection was lost before the answer: \(error.message)"
        }
    }
}
