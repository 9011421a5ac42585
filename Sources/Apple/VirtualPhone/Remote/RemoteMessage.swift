// SPDX-License-Identifier: MIT

import Foundation

/// What travels between a phone and a process that it launched.
enum RemoteMessage: Codable, Sendable {
    // From the process
    /// The first message; the phone answers with `welcome`.
    case hello
    /// The main function reached its end: the main queue is served.
    case launched
    /// A request; answered by `reply` with the same number.
    case request(number: UInt64, AppRequest)
    /// Asks for the phone's time; answered by `time` with the same number.
    case askTime(number: UInt64)
    /// The handler of a delivery returned.
    case finished(delivery: UInt64, handled: Bool)

    // From the phone
    /// Who the process is, and how many bytes of memory it may use beyond those it has.
    case welcome(process: UUID, bundleIdentifier: String, memoryLimit: Int?)
    /// The answer to a request.
    case reply(number: UInt64, AppReply)
    /// The phone's time.
    case time(number: UInt64, Date)
    /// An event for an object of the process; answered by `finished`.
    case event(delivery: UInt64, endpoint: UUID, PhoneEvent)
}
