// SPDX-License-Identifier: MIT

extension PhoneMachine.Command {
    /// Stands for the command in the log: equal for equal commands, in every run (R82).
    var fingerprint: UInt64 {
        var writer = ByteWriter()
        writer.write(self)
        return writer.bytes.withUnsafeBytes(Checksum.of)
    }
}

extension ByteWriter {
    mutating func write(_ command: PhoneMachine.Command) {
        switch command {
        case .start(let call, let details):
            begin(1, call)
            write(details)
        case .answer(let call):
            begin(2, call)
        case .end(let call):
            begin(3, call)
        case .setHeld(let call, let held):
            begin(4, call)
            write(held)
        case .setMuted(let call, let muted):
            begin(5, call)
            write(muted)
        case .setGroup(let call, let other):
            begin(6, call)
            write(optional: other) { $0.write($1) }
        case .playTones(let call, let tones):
            begin(7, call)
            write(tones)
        case .setRoute(let call, let route):
            begin(8, call)
            write(route)
        case .setDisplayName(let call, let name):
            begin(9, call)
            write(name)
        case .setCamera(let call, let on):
            begin(10, call)
            write(on)
        case .switchCamera(let call, let facing):
            begin(11, call)
            write(code: facing)
        case .setTranslation(let call, let translation):
            begin(12, call)
            write(optional: translation) {
                $0.write($1.localLanguage)
                $0.write($1.remoteLanguage)
            }
        }
    }

    private mutating func begin(_ kind: UInt8, _ call: CallID) {
        write(kind)
        write(call)
    }
}

extension ByteReader {
    mutating func command() throws(CheckpointError) -> PhoneMachine.Command {
        let kind = try number(UInt8.self)
        let call = try callID()
        switch kind {
        case 1: return .start(call, try details())
        case 2: return .answer(call)
        case 3: return .end(call)
        case 4: return .setHeld(call, try flag())
        case 5: return .setMuted(call, try flag())
        case 6: return .setGroup(call, with: try flag() ? try callID() : nil)
        case 7: return .playTones(call, try text())
        case 8: return .setRoute(call, try text())
        case 9: return .setDisplayName(call, try text())
        case 10: return .setCamera(call, try flag())
        case 11: return .switchCamera(call, try code())
        case 12: return .setTranslation(call, try flag() ? try translation() : nil)
        default: throw .damaged
        }
    }

    private mutating func translation() throws(CheckpointError) -> Translation {
        Translation(localLanguage: try text(), remoteLanguage: try text())
    }
}
