// SPDX-License-Identifier: MIT

import OffhookNet

extension VirtualAPNs {
    // MARK: - Faults

    /// Orders a fault for the next requests; faults ordered first come first.
    ///
    /// - Parameters:
    ///   - fault: What to do instead of the gateway's work.
    ///   - count: For how many requests; nil: until ``clearFaults()``.
    ///   - token: For requests to this device token alone; nil: for all.
    public func inject(_ fault: GatewayFault, count: Int? = 1, token: String? = nil) {
        let order = OrderedFault(fault: fault, token: token?.lowercased(), remaining: count)
        state.withLock { $0.faults.append(order) }
    }

    /// Orders a fault as it was typed.
    public func inject(_ order: FaultOrder) {
        inject(order.fault, count: order.count, token: order.token)
    }

    /// The faults that have not happened yet, a line each, for a person.
    var faultLines: [String] {
        state.withLock { $0.faults }.map { order in
            "\(order.fault), \(order.remaining.map { "\($0) more" } ?? "for ever")"
                + (order.token.map { ", token \($0)" } ?? "")
        }
    }

    /// Forgets the faults that have not happened yet.
    public func clearFaults() {
        state.withLock { $0.faults.removeAll() }
    }

    func takeFault(path: String) -> GatewayFault? {
        state.withLock { state in
            guard !state.faults.isEmpty else { return nil }
            let token = path.split(separator: "/").last?.lowercased()
            guard let index = state.faults.firstIndex(where: { $0.token == nil || $0.token == token }) else {
                return nil
            }
            let fault = state.faults[index].fault
            if let remaining = state.faults[index].remaining {
                if remaining > 1 {
                    state.faults[index].remaining = remaining - 1
                } else {
                    state.faults.remove(at: index)
                }
            }
            return fault
        }
    }

    // MARK: - All connections

    /// Allows every connection, and those to come, only so many streams at a time, as APNs was seen to throttle.
    ///
    /// - Parameter streams: 1 or more; nil: as configured. Before its first valid token a connection has one, whatever this is.
    public func throttle(to streams: UInt32?) {
        let desks = state.withLock { state in
            state.streamLimit = streams.map { max(1, $0) }
            return Array(state.desks.values)
        }
        loop.execute { for desk in desks { desk.setStreamLimit(streams.map { max(1, $0) }) } }
    }

    /// Sends every connection away with a GOAWAY; requests that came before it are still answered.
    ///
    /// - Parameter reason: Apple's word, such as `Shutdown`.
    public func goAway(reason: String) {
        let desks = state.withLock { Array($0.desks.values) }
        loop.execute { for desk in desks { desk.goAway(reason: reason) } }
    }

    /// Cuts every connection without a word.
    public func dropConnections() {
        let desks = state.withLock { Array($0.desks.values) }
        loop.execute { for desk in desks { desk.abort() } }
    }

    /// Returns when the orders given before are carried out and what they wrote has left, or the gateway has stopped.
    public func settled() async {
        await withCheckedContinuation { continuation in
            let isTaken = loop.execute { [loop] in
                // What an order writes leaves in the next turn.
                if !loop.execute({ continuation.resume() }) { continuation.resume() }
            }
            if !isTaken { continuation.resume() }
        }
    }

    /// The connections that are open.
    public var connectionCount: Int { state.withLock { $0.desks.count } }

    // MARK: - The clock

    /// Sets the gateway's clock ahead of the configured one, or back, so that a sender's clock seems wrong to it.
    ///
    /// - Parameter milliseconds: How far ahead; below 0: behind.
    public func setClock(aheadBy milliseconds: Int64) {
        clockOffset.withLock { $0 = milliseconds }
    }

    /// The time by the gateway's clock, in milliseconds since 1970.
    public var now: Int64 { configuration.clock() &+ clockOffset.withLock { $0 } }

    func tell(_ kind: @autoclosure () -> GatewayEvent.Kind, connection: Int) {
        guard let onEvent = configuration.onEvent else { return }
        onEvent(GatewayEvent(time: now, connection: connection, kind: kind()))
    }
}
