// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// Collects what callbacks of other threads report, for a test to await in order.
final class Recorder<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Reports an element; any thread.
    func report(_ element: Element) {
        continuation.yield(element)
    }

    /// The next element; waits until it is reported.
    func next() async throws -> Element {
        for await element in stream { return element }
        throw CancellationError()
    }

    /// The next so many elements.
    func next(_ count: Int) async throws -> [Element] {
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try await next()) }
        return elements
    }
}

/// Runs a test's body with a loop that is stopped afterwards.
func withLoop<Result>(_ body: (EventLoop) async throws -> Result) async throws -> Result {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    return try await body(loop)
}

/// Times for a limit that a machine has to keep up with: when it was too slow, a longer one is tried.
let growingTimes = (0..<9).map { Duration.milliseconds(250 << $0) }

extension EventLoop {
    /// Runs work on the loop's thread and waits for its result.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
        let result: Value? = await withCheckedContinuation { continuation in
            if !execute({ continuation.resume(returning: work()) }) { continuation.resume(returning: nil) }
        }
        return try #require(result)
    }
}
