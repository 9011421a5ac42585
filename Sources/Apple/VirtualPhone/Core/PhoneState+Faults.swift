// SPDX-License-Identifier: MIT

import Foundation

/// The faults that are switched on.
struct FaultState: Hashable, Sendable {
    /// A request of an app's that the call daemon has not looked at.
    struct KeptRequest: Hashable, Sendable {
        /// When the daemon does; nil when it never does (`silent-daemon`).
        var due: Date?
        var request: AppRequest
        var process: UUID
    }

    var dropsAudioActivation = false
    var nextReportFailure: Int?
    var nextTransactionFailure: Int?
    var latePushes: Duration = .zero
    var duplicatedPushes = 0
    var reorderedPushes = 0
    var slowDaemon: Duration = .zero
    var isDaemonSilent = false
    var reordersActions = false
    /// Launches that end at once, by app.
    var crashesAtLaunch: [String: Int] = [:]
    var isDiskFull = false
    var clockJump: Duration = .zero
    /// What a slow or silent daemon was sent, oldest first.
    var kept: [KeptRequest] = []
}

/// A call that is over and that the daemon still counts (P39).
struct ClosingCall: Hashable, Sendable {
    var uuid: UUID
    var bundle: String
    var group: UUID
    var until: Date
}
