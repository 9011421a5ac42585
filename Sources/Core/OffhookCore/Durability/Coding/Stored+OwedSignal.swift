// SPDX-License-Identifier: MIT

extension ByteWriter {
    mutating func write(_ owed: OwedSignal) {
        write(owed.call)
        write(owed.since)
        switch owed.word {
        case .answer: write(UInt8(1))
        case .decline: write(UInt8(2))
        case .busy: write(UInt8(3))
        case .cancel: write(UInt8(4))
        case .hangup(let reason):
            write(UInt8(5))
            write(code: reason)
        }
    }
}

extension ByteReader {
    mutating func owedSignal() throws(CheckpointError) -> OwedSignal {
        let call = try callID()
        let since = try instant()
        let word: OwedSignal.Word =
            switch try number(UInt8.self) {
            case 1: .answer
            case 2: .decline
            case 3: .busy
            case 4: .cancel
            case 5: .hangup(try code())
            default: throw .damaged
            }
        return OwedSignal(call, word, since: since)
    }
}
