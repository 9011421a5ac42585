// SPDX-License-Identifier: MIT

public import VirtualPhone

extension VirtualPhone {
    /// Installs an app, lets it register for pushes, closes it, and locks the phone: what a call finds at night.
    ///
    /// - Throws: ``PhoneUserError`` when the app did not stay alive.
    public func installAndClose(_ app: App) async throws {
        install(app)
        open(app.bundleIdentifier)
        await settle()
        try user.close(app.bundleIdentifier)
        user.lock()
        await settle()
    }
}
