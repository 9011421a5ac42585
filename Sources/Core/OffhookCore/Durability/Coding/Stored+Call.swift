// SPDX-License-Identifier: MIT

extension ByteWriter {
    mutating func write(_ call: Call) {
        write(call.id)
        write(code: call.direction)
        write(call.details)
        write(call.state)
        write(call.muted)
        write(call.interrupted)
        write(call.remoteRinging)
        write(call.peer.held)
        write(call.peer.muted)
        write(call.peer.video)
        write(call.createdAt)
        write(call.answeredAt)
        write(call.connectedAt)
        write(call.endedAt)
        write(call.failure)
    }

    private mutating func write(_ state: Call.State) {
        switch state {
        case .incoming: write(UInt8(1))
        case .outgoing: write(UInt8(2))
        case .connecting: write(UInt8(3))
        case .active: write(UInt8(4))
        case .held: write(UInt8(5))
        case .ended(let reason):
            write(UInt8(6))
            write(code: reason)
        }
    }

    private mutating func write(_ flag: Bool?) {
        write(optional: flag) { $0.write($1) }
    }
}

extension ByteReader {
    mutating func call() throws(CheckpointError) -> Call {
        let id = try callID()
        let direction = try code(Call.Direction.self)
        let details = try details()
        var call = Call(
            id: id, direction: direction, details: details, state: try callState(), createdAt: Instant(milliseconds: 0))
        call.muted = try flag()
        call.interrupted = try flag()
        call.remoteRinging = try flag()
        call.peer = PeerUpdate(held: try optionalFlag(), muted: try optionalFlag(), video: try optionalFlag())
        call.createdAt = try instant()
        call.answeredAt = try optionalInstant()
        call.connectedAt = try optionalInstant()
        call.endedAt = try optionalInstant()
        call.failure = try failure()
        return call
    }

    private mutating func callState() throws(CheckpointError) -> Call.State {
        switch try number(UInt8.self) {
        case 1: .incoming
        case 2: .outgoing
        case 3: .connecting
        case 4: .active
        case 5: .held
        case 6: .ended(try code())
        default: throw .damaged
        }
    }

    private mutating func optionalFlag() throws(CheckpointError) -> Bool? {
        try flag() ? try flag() : nil
    }
}
