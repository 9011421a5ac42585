// SPDX-License-Identifier: MIT

import OffhookCore

/// What is still to happen, earliest first; at the same time, first come first served.
struct WorldQueue: Sendable {
    private struct Entry {
        var time: Int
        var order: Int
        var slot: Int

        static func < (left: Entry, right: Entry) -> Bool {
            left.time != right.time ? left.time < right.time : left.order < right.order
        }
    }

    private var heap: [Entry] = []
    private var steps: [WorldStep] = []
    private var free: [Int] = []
    private var count = 0

    /// When the first step is due; nil when there is none.
    var next: Int? { heap.first?.time }

    mutating func add(_ step: WorldStep, at time: Int) {
        count += 1
        let slot: Int
        if let reused = free.popLast() {
            slot = reused
            steps[slot] = step
        } else {
            slot = steps.count
            steps.append(step)
        }
        heap.append(Entry(time: time, order: count, slot: slot))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the first step out, if it is due by then.
    mutating func pop(by time: Int) -> WorldStep? {
        guard let first = heap.first, first.time <= time else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        free.append(first.slot)
        return steps[first.slot]
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            let child = 2 * parent + 1
            if child < heap.count, heap[child] < heap[least] { least = child }
            if child + 1 < heap.count, heap[child + 1] < heap[least] { least = child + 1 }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    mutating func removeAll() {
        heap.removeAll(keepingCapacity: true)
        free.removeAll(keepingCapacity: true)
        steps.removeAll(keepingCapacity: true)
    }
}

/// One thing that is to happen.
enum WorldStep: Sendable {
    /// A phone's process takes an event, if it is still the one for which that was meant.
    case phone(Int, life: Int, PhoneMachine.Event)
    /// CallKit performs the next action of a transaction.
    case perform(Int, transaction: Int)
    /// An action is out of time.
    case actionTimeout(Int, ActionID)
    /// An incoming call rang too long for the phone (I6).
    case ringTimeout(Int, CallID)
    /// The audio session follows the calls.
    case audio(Int)
    /// A message of a phone arrives at the server; one without an epoch arrives whatever became of the connection.
    case up(Int, epoch: Int?, UpMessage)
    /// A message of the server arrives at a phone.
    case down(Int, epoch: Int, DownMessage)
    /// The server's rules take an event of a call.
    case broker(Int, BrokerEvent)
    /// A push arrives; nil cannot be read.
    case push(Int, Invitation?)
    /// The connection of a phone returns.
    case reconnect(Int, epoch: Int)
    /// A process starts.
    case launch(Int)
    /// The server is back.
    case serverUp
}

/// A message of a phone, kept until it is answered.
struct UpMessage: Hashable, Sendable {
    var number: Int
    var call: CallID
    var signal: CallSignal
}

/// A message for a phone, kept until it has arrived.
struct DownMessage: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case news(CallID, PhoneMachine.ServerNews)
        case invited(Invitation)
        case reply(Int, BrokerReply)
        case welcome([Snapshot])
    }
    struct Snapshot: Hashable, Sendable {
        var call: CallID
        /// Nil: the server does not know the call.
        var view: BrokerView?
        var invitation: Invitation?
        var isOutgoing: Bool
    }
    var number: Int
    var content: Content
}
