// SPDX-License-Identifier: MIT

import Glibc

/// Keeps two servers from going on with the same calls: a lock on a file beside the database.
///
/// The system takes the lock away when the process ends, however it ends; the file stays and means nothing. It is not
/// the database file itself: closing that one would drop SQLite's own locks.
final class DatabaseLock {
    private var file: Int32 = -1

    /// Takes the lock.
    ///
    /// - Throws: ``ServerError`` of code `storage` when another server has it.
    init(database: String) throws(ServerError) {
        guard database != ":memory:" else { return }
        file = open(DatabaseLock.realPath(database) + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        // A folder that cannot be written to shows when the database is opened.
        guard file >= 0 else { return }
        // A file system without such locks must not keep the server from running.
        if flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK {
            close(file)
            file = -1
            throw ServerError(
                .storage,
                "The database file \(database) is in use by another server. Stop that one, or give --database another "
                    + "file.")
        }
    }

    /// The file's own path: a link to a database that is in use is in use too, as SQLite sees it.
    private static func realPath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    deinit {
        release()
    }

    /// Gives the lock back; a second call does no harm.
    func release() {
        guard file >= 0 else { return }
        // Said aloud: a child process that is just being started may hold a copy of the file for a moment.
        flock(file, LOCK_UN)
        close(file)
        file = -1
    }
}
