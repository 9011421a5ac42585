// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore

extension Engine {
    /// Who reads the journal.
    struct Reader {
        /// The session of the journal.
        var session: JournalSession
        /// Takes what it tells.
        var continuation: AsyncStream<JournalEvent>.Continuation
    }

    /// How many elements wait for a reader; then its stream ends, so that none is lost silently.
    static let readerLimit = 4096

    /// The journal, read from the disk when it is first needed: nothing of a cold start waits for it.
    private func withJournal<Result>(_ work: (inout Journal) -> Result) -> Result {
        var journal = journal ?? openJournal()
        let result = work(&journal)
        self.journal = journal
        return result
    }

    private func openJournal() -> Journal {
        let generation = machine.generation
        isJournalUsable = true
        isJournalStored = true
        guard let file = store.readJournal() else {
            let journal = Journal(generation: generation, at: clock.now)
            keep(store.replaceJournal(with: journal.image))
            return journal
        }
        do {
            let opened = try JournalCodec.decode(file, at: clock.now)
            guard opened.journal.generation == generation else { throw CheckpointError.damaged }
            if opened.length < file.count { keep(store.replaceJournal(with: opened.journal.image)) }  // a torn end
            return opened.journal
        } catch {
            isJournalUsable = false  // R9: left as it is
            tellWarning(OffhookError(.notStored, "The journal cannot be used (\(error)) and is left as it is."))
            return Journal(generation: generation, at: clock.now)
        }
    }

    /// Writes down how a call stands since.
    func record(_ call: Call) {
        let (source, now) = (source, clock.now)
        tellReader { $0.record(call, source: source, at: now) }
    }

    /// Writes down the end of an operation.
    func record(_ result: OperationResult) {
        let (source, now) = (source, clock.now)
        tellReader { $0.record(result, source: source, at: now) }
    }

    private func tellReader(_ work: (inout Journal) -> [UInt8]) {
        let entries = withJournal { journal -> [JournalEntry] in
            let before = journal.last
            write(work(&journal), &journal)
            guard reader != nil, case .entries(let entries) = journal.replay(after: before) else { return [] }
            return entries
        }
        for entry in entries { send(.entry(entry)) }
    }

    private func write(_ bytes: [UInt8], _ journal: inout Journal) {
        guard isJournalUsable, !bytes.isEmpty else { return }
        if journal.needsCompaction || !isJournalStored {
            let failure = store.replaceJournal(with: journal.image)
            keep(failure)
            if failure == nil { journal.compacted() }
        } else {
            keep(store.appendToJournal(bytes))
        }
    }

    /// A file that missed a record has a hole: it is written as a whole the next time.
    private func keep(_ failure: CallFailure?) {
        if let failure, isJournalStored, !isSaveFailing { tellWarning(OffhookError(failure)) }
        isJournalStored = failure == nil
    }

    private func send(_ event: JournalEvent) {
        guard let reader else { return }
        switch reader.continuation.yield(event) {
        case .enqueued: break
        case .dropped, .terminated: closeReader()
        @unknown default: closeReader()
        }
    }

    /// Ends the stream of the journal, if there is one.
    func closeReader() {
        guard let reader else { return }
        self.reader = nil
        journal?.close(reader.session)
        reader.continuation.finish()
    }

    /// Another user's journal is read when it is needed.
    func forgetJournal() {
        closeReader()
        journal = nil
    }

    func makeSession(after cursor: JournalCursor?) -> AsyncStream<JournalEvent> {
        AsyncStream(bufferingPolicy: .bufferingOldest(Engine.readerLimit)) { continuation in
            queue.async { self.open(after: cursor, continuation) }
        }
    }

    private func open(after cursor: JournalCursor?, _ continuation: AsyncStream<JournalEvent>.Continuation) {
        closeReader()
        let (generation, calls, now) = (machine.generation.number, currentCalls, clock.now)
        // Another stay's cursor is no place in this journal: a gap.
        let sequence = cursor.map { $0.generation == generation ? $0.sequence : UInt64.max }
        let session = withJournal { journal -> JournalSession in
            let (session, bytes) = journal.open(after: sequence, snapshot: calls, at: now)
            write(bytes, &journal)
            return session
        }
        reader = Reader(session: session, continuation: continuation)
        let first = session.entries.first.map { $0.sequence - 1 } ?? session.cursor
        send(.began(session.start, session.snapshot, JournalCursor(generation: generation, sequence: first)))
        for entry in session.entries { send(.entry(entry)) }
        if phase == .stopped { closeReader() }
    }

    func acknowledge(_ cursor: JournalCursor) {
        queue.async {
            guard cursor.generation == self.machine.generation.number else { return }
            self.withJournal { journal in self.write(journal.acknowledge(cursor.sequence), &journal) }
        }
    }
}
