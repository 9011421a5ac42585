// SPDX-License-Identifier: MIT

public import Offhook

/// Devices, a server's decisions and a network in virtual time: the call rules of both sides against each other.
///
/// Nothing sleeps and nothing is parallel: the world jumps from one event to the next. The same seed gives the same
/// world. What breaks a promise is written down in ``complaints``.
public struct CallWorld: Sendable {
    enum Step: Sendable {
        /// A phone takes an event.
        case phone(Int, PhoneMachine.Event)
        /// A person does something.
        case user(Int, UserAct)
        /// A message of a device arrives at the server.
        case up(Int, epoch: Int, WorldMessage)
        /// Something for a device arrives.
        case down(Int, epoch: Int, WorldNews)
        /// The server takes an event of a call.
        case broker(CallID, BrokerEvent)
        /// A cut connection returns.
        case reconnect(Int)
    }
    private struct Entry: Sendable {
        var time: Instant
        var order: Int
        var step: Step
    }

    /// The world's time.
    public private(set) var now = Instant(milliseconds: 1_000_000_000)
    /// The devices, in the order in which they were added.
    public internal(set) var devices: [WorldDevice] = []
    /// The calls on the server.
    public internal(set) var brokers: [CallID: BrokerMachine] = [:]
    /// The promises that were broken.
    public internal(set) var complaints: [String] = []
    let network: NetworkPlan
    private let policy: CallPolicy
    private var agenda: [Entry] = []
    private var orders = 0
    private var random: UInt64

    /// Makes an empty world.
    public init(seed: UInt64, network: NetworkPlan = NetworkPlan(), policy: CallPolicy = CallPolicy()) {
        random = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1
        self.network = network
        self.policy = policy
    }

    /// Adds a device and gives its index.
    public mutating func addDevice(_ device: String, of user: String) -> Int {
        devices.append(WorldDevice(party: BrokerParty(user: user, device: device), policy: policy))
        return devices.count - 1
    }

    /// Lets a person do something after a while; it comes to nothing when there is nothing to do it with.
    public mutating func plan(after delay: TimeSpan, _ device: Int, _ act: UserAct) {
        schedule(delay, .user(device, act))
    }

    /// Runs until nothing is left to happen, or the time is over; gives whether nothing is left.
    @discardableResult
    public mutating func run(for limit: TimeSpan = .seconds(3600)) -> Bool {
        let end = now + limit
        while let next = nextTime {
            guard next <= end else {
                now = end
                return false
            }
            now = max(now, next)
            while let entry = agenda.first, entry.time <= now {
                agenda.removeFirst()
                run(entry.step)
            }
            for index in devices.indices where devices[index].phone.deadline.map({ $0 <= now }) ?? false {
                feed(index, .tick)
            }
            for call in brokers.keys.sorted() where brokers[call]?.deadline.map({ $0 <= now }) ?? false {
                feed(call, .tick)
            }
        }
        return true
    }

    private var nextTime: Instant? {
        let deadlines = devices.compactMap(\.phone.deadline) + brokers.values.compactMap(\.deadline)
        return (deadlines + [agenda.first?.time].compactMap { $0 }).min()
    }

    // MARK: - For the parts of the world

    mutating func roll(_ range: ClosedRange<Int>) -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return range.lowerBound + Int(random % UInt64(range.count))
    }

    mutating func happens(_ percent: Int) -> Bool {
        percent > 0 && roll(0...99) < percent
    }

    mutating func fresh() -> UInt64 {
        orders += 1
        return UInt64(orders)
    }

    mutating func schedule(_ delay: TimeSpan, _ step: Step) {
        schedule(at: now + delay, step)
    }

    mutating func schedule(at time: Instant, _ step: Step) {
        orders += 1
        let entry = Entry(time: time, order: orders, step: step)
        let index = agenda.firstIndex { ($0.time, $0.order) > (entry.time, entry.order) } ?? agenda.endIndex
        agenda.insert(entry, at: index)
    }

    mutating func complain(_ text: String) {
        complaints.append("at \(now.milliseconds): \(text)")
    }

    private mutating func run(_ step: Step) {
        switch step {
        case .phone(let index, let event): feed(index, event)
        case .user(let index, let act): perform(act, on: index)
        case .up(let index, let epoch, let message): arrive(message, from: index, epoch: epoch)
        case .down(let index, let epoch, let news): arrive(news, at: index, epoch: epoch)
        case .broker(let call, let event): feed(call, event)
        case .reconnect(let index): reconnect(index)
        }
    }
}
