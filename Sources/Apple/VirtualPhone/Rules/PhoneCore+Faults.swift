// SPDX-License-Identifier: MIT

import Foundation

// The fault switches; what each does lies with the rule it bends.
extension PhoneCore {
    mutating func apply(_ fault: PhoneFault) {
        switch fault {
        case .missingActivation(let isOn): faults.dropsAudioActivation = isOn
        case .mediaServicesReset: resetMediaServices()
        case .latePushes(let delay): delayPushes(delay)
        case .duplicatedPushes(let count): faults.duplicatedPushes = count
        case .reorderedPushes(let count): reorderPushes(count)
        case .slowDaemon(let delay): faults.slowDaemon = delay
        case .silentDaemon(let isOn): faults.isDaemonSilent = isOn
        case .failedReport(let code): faults.nextReportFailure = code
        case .failedTransaction(let code): faults.nextTransactionFailure = code
        case .reorderedActions(let isOn): faults.reordersActions = isOn
        case .daemonRestart: restartDaemon()
        case .failedDirectory(let operation, let error): directory.nextFailures[operation] = error
        case .corruptDirectory: corruptDirectory()
        case .crashedExtension(let identifier): crashExtension(identifier)
        case .silentDirectory(let isOn): directory.isSilent = isOn
        case .crash(let bundle): crash(bundle)
        case .crashAtLaunch(let bundle, let times): faults.crashesAtLaunch[bundle] = max(0, times)
        case .diskFull(let isOn): faults.isDiskFull = isOn
        case .clockJump(let jump): faults.clockJump += jump
        }
    }
}
