// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// The phone as a launched process sees it: over a socket that it was started with.
final class EnvironmentLink: PhoneLink {
    /// The variable that names the socket's descriptor.
    static let variable = "OFFHOOK_PHONE"

    private struct State {
        var lastNumber: UInt64 = 0
        var answers: [UInt64: RemoteMessage] = [:]
        var isClosed = false
    }

    private let channel: RemoteChannel
    private let answered = NSCondition()
    private let state = Locked(State())

    init(channel: RemoteChannel) {
        self.channel = channel
    }

    /// Connects this process with the phone that launched it; nil when none did.
    static func connect() -> AppProcess? {
        guard let text = getenv(variable).map({ String(cString: $0) }), let descriptor = Int32(text) else { return nil }
        unsetenv(variable)
        ProcessMemory.keepStacksSmall()
        let channel = RemoteChannel(descriptor: descriptor)
        guard (try? channel.send(.hello)) != nil,
            case .welcome(let id, let bundle, let memoryLimit)? = try? channel.receive()
        else { return nil }
        let link = EnvironmentLink(channel: channel)
        let process = AppProcess(bundleIdentifier: bundle, link: link, id: id)
        let reader = Thread { link.read(for: process) }
        reader.name = "phone"
        reader.stackSize = ProcessMemory.stackSize
        reader.start()
        if let memoryLimit { ProcessMemory.limit(to: memoryLimit) }
        // Runs when the main function has come to its end and serves the queue.
        DispatchQueue.main.async { try? channel.send(.launched) }
        return process
    }

    func handle(_ request: AppRequest, from process: AppProcess) -> AppReply {
        guard case .reply(_, let reply)? = ask({ .request(number: $0, request) }) else { return .processTerminated }
        return reply
    }

    var now: Date {
        guard case .time(_, let date)? = ask({ .askTime(number: $0) }) else { return Date() }
        return date
    }

    /// Sends a question and waits for its answer; nil when the phone is gone.
    private func ask(_ question: (UInt64) -> RemoteMessage) -> RemoteMessage? {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        guard (try? channel.send(question(number))) != nil else { return nil }
        answered.lock()
        defer { answered.unlock() }
        while true {
            let (answer, isClosed) = state.withLock { ($0.answers.removeValue(forKey: number), $0.isClosed) }
            if answer != nil || isClosed { return answer }
            answered.wait()
        }
    }

    private func read(for process: AppProcess) {
        while let message = try? channel.receive() {
            switch message {
            case .reply(let number, _), .time(let number, _): take(message, number: number)
            case .event(let delivery, let endpoint, let event):
                process.deliver(event, to: endpoint) { [channel] handled in
                    try? channel.send(.finished(delivery: delivery, handled: handled))
                }
            case .hello, .launched, .request, .askTime, .finished, .welcome: break
            }
        }
        // The phone is gone, and with it the reason to live.
        exit(0)
    }

    private func take(_ message: RemoteMessage, number: UInt64) {
        answered.lock()
        state.withLock { $0.answers[number] = message }
        answered.broadcast()
        answered.unlock()
    }
}

extension AppProcess {
    private static let launched = EnvironmentLink.connect()

    /// The process that a phone launched as a program of its own; nil in every other program.
    ///
    /// Framework objects call it by themselves. The program serves its main queue, with `dispatchMain()` or a run loop,
    /// and ends with the phone's connection.
    @discardableResult
    public static func connectFromEnvironment() -> AppProcess? {
        launched
    }
}
