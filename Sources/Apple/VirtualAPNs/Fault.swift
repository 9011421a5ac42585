// SPDX-License-Identifier: MIT

public import OffhookNet

/// What the gateway does instead of its work, so that a sender can be tested against it.
public enum GatewayFault: Hashable, Sendable {
    /// Answers with a status and a reason, whatever the request; nil: an empty body.
    case answer(status: Int, reason: String?)
    /// Answers with a status and a body that is not what Apple promises, such as an edge server's page.
    case answerWith(status: Int, body: String)
    /// Sends a GOAWAY with a reason; the request at hand is processed or left to be sent again.
    case goAway(reason: String, processesRequest: Bool)
    /// Resets the stream with REFUSED_STREAM: the request was not looked at.
    case refuseStream
    /// Resets the stream with a code.
    case resetStream(HTTP2ErrorCode)
    /// Does its work so much later.
    case delay(Duration)
    /// Takes the request and never answers.
    case neverAnswer
    /// Cuts the connection without looking at the request.
    case closeConnection
    /// Accepts and delivers the push, then cuts the connection before the answer.
    case deliverThenClose
}
