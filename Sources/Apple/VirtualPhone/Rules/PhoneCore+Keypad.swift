// SPDX-License-Identifier: MIT

import Foundation

// G7, R50, P54: the keypad.
extension PhoneCore {
    /// What is typed, as actions: one a digit, and after a pause all digits as one.
    ///
    /// - Returns: nil when there is anything but 0-9, *, #, comma and semicolon, or nothing to play.
    static func tones(of typed: String) -> [CallLine.Tone]? {
        var tones: [CallLine.Tone] = []
        for character in typed {
            switch character {
            case ",": tones.append(CallLine.Tone(digits: "", type: 2))
            case ";": tones.append(CallLine.Tone(digits: "", type: 3))
            case "0"..."9", "*", "#":
                if let last = tones.last, last.type != 1 {
                    tones[tones.count - 1].digits.append(character)
                } else {
                    tones.append(CallLine.Tone(digits: String(character), type: 1))
                }
            default: return nil
            }
        }
        tones.removeAll { $0.digits.isEmpty }
        return tones.isEmpty ? nil : tones
    }

    mutating func play(_ tones: [CallLine.Tone], on call: UUID) {
        guard let index = callIndex(call), calls[index].other == nil else { return }
        let isPlaying = transactions.contains { transaction in
            transaction.origin == .user && transaction.actions.contains { isTone($0, of: call) }
        }
        calls[index].line.tones += tones
        if !isPlaying { playNextTone(of: call) }
    }

    /// The tone before was played; the next one is asked for only now (G7).
    mutating func playNextTone(of call: UUID) {
        guard let index = callIndex(call), !calls[index].line.tones.isEmpty else { return }
        let tone = calls[index].line.tones.removeFirst()
        startTransaction([(call, .playDTMF(digits: tone.digits, type: tone.type))], origin: .user)
    }

    mutating func dropTones(of call: UUID) {
        guard let index = callIndex(call), !calls[index].line.tones.isEmpty else { return }
        calls[index].line.tones = []
        log(.phone, "drops the tones after one that failed", rule: "G7", call: call, app: calls[index].bundle)
    }

    private func isTone(_ action: TransactionRecord.Action, of call: UUID) -> Bool {
        if case .playDTMF = action.value.kind { return action.value.call == call && action.state != .complete }
        return false
    }
}
