// SPDX-License-Identifier: MIT

import OffhookCore

/// What of the engine outlives the process, in one folder of the app; bound to the engine queue.
///
/// ```
///   account            who is signed in
///   3/checkpoint       what must outlive the process, of the third stay (R90)
///   3/journal          what the app was told
/// ```
///
/// Invariants: a file is replaced as a whole or not at all; a file that cannot be read is never written to (R9); nothing
/// is written for another generation than the one that was loaded.
final class CheckpointStore {
    private let files: (any StoreFiles)?
    /// Whether there is something to read and to write.
    private(set) var state: StorageState = .memoryOnly
    /// Whose files they are.
    private(set) var account = AccountFile.first

    private var isAccountWritten = false

    /// Makes a store; without files nothing outlives the process.
    init(_ files: (any StoreFiles)?) {
        self.files = files
    }

    /// Reads who is signed in and what the last process saved; again when it could not be read before.
    ///
    /// - Returns: The checkpoint, of a device on which nothing has happened if there is none; nil when the files cannot be
    ///   used, and ``state`` says why.
    func load(at now: Instant) -> Checkpoint? {
        guard let files else { return Checkpoint(generation: account.generation, savedAt: now) }
        do {
            if let bytes = try files.read(Name.account) {
                account = try AccountFile(bytes)
                isAccountWritten = true
            }
            var checkpoint = Checkpoint(generation: account.generation, savedAt: now)
            if let bytes = try files.read(Name.checkpoint(account.generation)) {
                checkpoint = try CheckpointCodec.decode(bytes)
            }
            guard checkpoint.generation == account.generation else { throw StorageDamage.otherAccount }
            state = .ready
            return checkpoint
        } catch let damage as StorageDamage {
            state = .damaged(damage)
        } catch let error as CheckpointError {
            state = .damaged(StorageDamage(error))
        } catch {
            state = .locked
        }
        return nil
    }

    /// Writes the checkpoint; does nothing where nothing is to be written.
    ///
    /// - Returns: Why it could not be written; nil when it was, or when there is nothing to write to.
    func save(_ checkpoint: Checkpoint) -> CallFailure? {
        write { (files: any StoreFiles) throws(StoreError) in
            guard checkpoint.generation == account.generation else { return }
            if !isAccountWritten {
                try files.replace(Name.account, with: account.bytes)
                isAccountWritten = true
            }
            try files.replace(Name.checkpoint(account.generation), with: CheckpointCodec.encode(checkpoint))
        }
    }

    /// Begins a stay, or ends the one that goes on.
    ///
    /// What an earlier stay left is removed once the new one is written.
    func turn(to account: AccountFile) -> CallFailure? {
        let earlier = self.account.generation
        self.account = account
        return write { (files: any StoreFiles) throws(StoreError) in
            // What a stay of this number left, whose account file was lost, is not this one's.
            if earlier.number != account.generation.number { try files.removeFolder("\(account.generation.number)") }
            try files.replace(Name.account, with: account.bytes)
            isAccountWritten = true
            if earlier.number != account.generation.number { try files.removeFolder("\(earlier.number)") }
        }
    }

    /// Puts aside what cannot be used, under names that end in `.damaged`, and begins anew.
    func reset() -> CallFailure? {
        guard let files, case .damaged = state else { return nil }
        do {
            for name in [Name.account, Name.checkpoint(account.generation), Name.journal(account.generation)] {
                if name == Name.account, try isGood(try files.read(name)) { continue }
                try files.rename(name, to: name + ".damaged")
            }
            state = .ready
            try files.replace(Name.account, with: account.bytes)
            return nil
        } catch {
            return CallFailure(.notStored, error.message)
        }
    }

    private func isGood(_ bytes: [UInt8]?) throws(StoreError) -> Bool {
        bytes.map { (try? AccountFile($0)) != nil } ?? true
    }

    // MARK: - The journal

    /// The journal's file; nil when there is none, or when the files cannot be used.
    func readJournal() -> [UInt8]? {
        guard state == .ready else { return nil }
        return (try? files?.read(Name.journal(account.generation))) ?? nil
    }

    /// Writes the whole journal.
    func replaceJournal(with bytes: [UInt8]) -> CallFailure? {
        write { (files: any StoreFiles) throws(StoreError) in
            try files.replace(Name.journal(account.generation), with: bytes)
        }
    }

    /// Writes what the journal has grown by.
    func appendToJournal(_ bytes: [UInt8]) -> CallFailure? {
        write { (files: any StoreFiles) throws(StoreError) in
            try files.append(bytes, to: Name.journal(account.generation))
        }
    }

    private func write(_ work: (any StoreFiles) throws(StoreError) -> Void) -> CallFailure? {
        guard let files, state == .ready else { return nil }
        do {
            try work(files)
            return nil
        } catch {
            return CallFailure(.notStored, error.message)
        }
    }

    private enum Name {
        static let account = "account"
        static func checkpoint(_ generation: AccountGeneration) -> String { "\(generation.number)/checkpoint" }
        static func journal(_ generation: AccountGeneration) -> String { "\(generation.number)/journal" }
    }
}

extension StorageDamage {
    init(_ error: CheckpointError) {
        switch error {
        case .truncated: self = .truncated
        case .damaged: self = .corrupted
        case .newerSchema(let version): self = .newerSchema(version)
        case .tooLarge(let bytes): self = .tooLarge(bytes)
        }
    }
}
