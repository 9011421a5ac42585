// SPDX-License-Identifier: MIT

import OffhookCore

extension CallWorld {
    /// Gives a process an event and carries its effects out in order; an event born of an effect follows after them.
    mutating func deliver(_ index: Int, _ event: PhoneMachine.Event) {
        guard phones[index].isAlive else { return }
        phones[index].inbox.append(event)
        guard !phones[index].isInCallback else { return }
        phones[index].isInCallback = true
        let life = phones[index].life
        phones[index].reportsInCallback = 0
        while phones[index].inboxHead < phones[index].inbox.count {
            let event = phones[index].inbox[phones[index].inboxHead]
            phones[index].inboxHead += 1
            tally.count(event)
            prepare(event, on: index)
            if sabotage?.swallows(event) ?? false { continue }
            var effects = phones[index].machine.handle(event, at: now)
            if let sabotage { effects = sabotage.broken(effects, of: event, by: phones[index].machine) }
            for effect in effects {
                if let left = phones[index].effectsLeft {
                    guard left > 0 else { return kill(index) }
                    phones[index].effectsLeft = left - 1
                }
                if phones[index].effectCount == phones[index].diesAt {
                    phones[index].diesAt = nil
                    return kill(index)
                }
                phones[index].effectCount += 1
                tally.count(effect)
                run(effect, on: index)
                guard phones[index].life == life else { return }
            }
            conclude(event, on: index)
        }
        phones[index].inbox.removeAll(keepingCapacity: true)
        phones[index].inboxHead = 0
        phones[index].isInCallback = false
        phones[index].nextTick = phones[index].machine.deadline.map { relative($0) }
        tally.see(phones[index].machine)
    }

    func relative(_ instant: Instant) -> Int {
        Int(instant.milliseconds - CallWorld.start.milliseconds)
    }

    /// The process dies: its memory, its connection and its media are gone; CallKit keeps its calls (T5).
    mutating func kill(_ index: Int) {
        guard phones[index].isAlive else { return }
        phones[index].isAlive = false
        phones[index].life += 1
        phones[index].inbox.removeAll(keepingCapacity: true)
        phones[index].inboxHead = 0
        phones[index].isInCallback = false
        phones[index].effectsLeft = nil
        phones[index].nextTick = nil
        phones[index].openPushes = []
        phones[index].sessions = []
        phones[index].outbox = []
        phones[index].actions.removeAll { $0.isPerforming }
        phones[index].isWindowOpen = false
        phones[index].hasSession = false
        for call in phones[index].machine.calls where !call.hasEnded {
            guard let number = number(of: call.id) else { continue }
            while phones[index].records.count <= number { phones[index].records.append(CallRecord()) }
            phones[index].records[number].wasCutOff = true
        }
        for record in phones[index].records.indices {
            phones[index].records[record].endTold = false
            if let last = phones[index].records[record].last, !last.hasEnded {
                phones[index].records[record].wasCutOff = true
            }
            phones[index].records[record].states = []
            phones[index].records[record].last = nil
        }
        cut(index, for: nil)
        tally.deaths += 1
    }

    /// A process starts with what the last one left on the disk (R88).
    mutating func launch(_ index: Int) {
        guard !phones[index].isAlive else { return }
        phones[index].isAlive = true
        phones[index].hasConfiguredAudio = false
        phones[index].machine = PhoneMachine(policy: policy)
        if let disk = phones[index].disk {
            if let restored = disk.restored(policy: policy) {
                phones[index].machine = restored
            } else {
                breach(.checkpointReadable, index, "the checkpoint that was written cannot be read")
            }
        }
        phones[index].isRecovering = true
        deliver(index, .launched)
        phones[index].isRecovering = false
        guard phones[index].isAlive else { return }
        schedule(phones[index].delay * 2, .reconnect(index, epoch: phones[index].epoch))
        for transaction in Set(phones[index].actions.map(\.transaction)).sorted() {
            schedule(phones[index].kitDelay, .perform(index, transaction: transaction))
        }
        if phones[index].isAudioActive {
            // The session is active for the calls left over; the new process hears of it anew.
            schedule(phones[index].kitDelay, .phone(index, life: phones[index].life, .audioActivated))
        }
    }

    /// A push arrives; it starts the process first if it must.
    mutating func pushArrived(_ invitation: Invitation?, on index: Int) {
        launch(index)
        guard phones[index].isAlive else { return }
        let push = PushID(Int(fresh()))
        let spare = CallID(high: 9, low: fresh())
        phones[index].openPushes.append(push)
        let isNeeded = phones[index].kit.isEmpty  // K7
        deliver(
            index,
            .pushArrived(
                push, invitation.map { .invitation($0) } ?? .undecodable, mustReport: isNeeded, spare: spare))
    }

    /// Writes what must outlive the process.
    mutating func save(_ point: SavePoint, on index: Int) {
        if fails(.save, on: index) {
            phones[index].isDiskStale = true
            phones[index].inbox.append(.saved(point, CallFailure(.notStored, "The disk is full.")))
        } else {
            phones[index].isDiskStale = false
            phones[index].disk = SavedState(machine: phones[index].machine, at: now)
            for record in phones[index].records.indices { phones[index].records[record].isOverUnsaved = false }
            phones[index].inbox.append(.saved(point, nil))
        }
    }

    /// Whether this one of its kind is the one that fails.
    mutating func fails(_ fault: Fault, on index: Int) -> Bool {
        let left = phones[index].faults[fault]
        guard left > 0 else { return false }
        phones[index].faults[fault] = left - 1
        guard left == 1 else { return false }
        tally.faults += 1
        return true
    }
}

extension SavedState {
    /// The rules of the next process, by way of the bytes on the disk; nil when these cannot be read.
    func restored(policy: CallPolicy) -> PhoneMachine? {
        guard let read = try? CheckpointCodec.decode(CheckpointCodec.encode(machine.checkpoint(at: at))) else {
            return nil
        }
        var restored = PhoneMachine(policy: policy)
        restored.adopt(read)
        return restored
    }
}
