// SPDX-License-Identifier: MIT

import Foundation

// P1-P3, R15, T3: providers and the call daemon.
extension PhoneCore {
    mutating func createProvider(_ id: UUID, configuration: ProviderConfigurationValue, of process: UUID) {
        guard let record = processes[process] else { return }
        log(.app, "created a provider", rule: "P1", app: record.bundle)
        if record.providers.contains(where: { !$0.isForgotten }) {
            violate(
                "R15", "a second provider was created while the first is alive",
                advice: "Make one CXProvider at launch and keep it; invalidate() the old one first.",
                app: record.bundle)
        }
        processes[process]?.providers.append(ProcessRecord.Provider(id: id, configuration: configuration))
    }

    mutating func configureProvider(_ id: UUID, configuration: ProviderConfigurationValue, of process: UUID) {
        guard let index = providerIndex(id, of: process) else { return }
        processes[process]?.providers[index].configuration = configuration
        processes[process]?.providers[index].isFreshlyConfigured = true
    }

    /// A delegate came or went; the first one is told that the provider is ready, and gets what waited for it.
    mutating func setDelegate(of id: UUID, present: Bool, process: UUID) {
        guard let index = providerIndex(id, of: process), let provider = processes[process]?.providers[index] else {
            return
        }
        processes[process]?.providers[index].hasDelegate = present
        guard present else { return }
        if !provider.hasBegun {
            processes[process]?.providers[index].hasBegun = true
            deliver(.providerDidBegin(provider: id), to: process)
        }
        startWaitingTransactions()
        updateAudio()
    }

    /// P3: the provider's calls end as failed; its delegate hears nothing more.
    mutating func invalidate(_ id: UUID, of process: UUID) {
        guard let bundle = processes[process]?.bundle, providerIndex(id, of: process) != nil else { return }
        log(.app, "invalidated the provider", rule: "P3", app: bundle)
        let own = calls.filter { call in
            provider(for: call).map { $0.process == process && $0.provider.id == id } ?? false
        }
        processes[process]?.providers.removeAll { $0.id == id }
        if audio.active?.provider == id {
            audio.active = nil
            limitRunningAudio(of: process)
        }
        if audio.pending?.provider == id { cancelActivation() }
        transactions.removeAll { $0.provider == id }
        for call in own { finish(call.uuid, outcome: .failed, rule: "P3") }
    }

    /// P2: the daemon crashed and came back: every call is gone, every provider is reset.
    mutating func restartDaemon() {
        log(.phone, "the call daemon restarted", rule: "P2")
        let gone = calls
        calls = []
        transactions = []
        followUps = followUps.filter { if case .startTransaction = $0.value { false } else { true } }
        for process in sortedProcesses {
            for provider in process.providers where provider.hasDelegate {
                log(.phone, "told the provider that it was reset", rule: "P2", app: process.bundle)
                deliver(.providerDidReset(provider: provider.id), to: process.id)
            }
            if settings.restartForgetsProviders {
                for index in process.providers.indices {
                    processes[process.id]?.providers[index].isForgotten = true
                }
            }
            if audio.active?.process == process.id { limitRunningAudio(of: process.id) }
        }
        audio = CallAudio(stopLimits: audio.stopLimits)
        for call in gone {
            addToRecents(call, outcome: .failed, endedAt: now)
            announceEnd(of: call)
        }
    }

    /// I5: the source is denied; the provider is reset.
    mutating func deny(_ provider: UUID, of process: UUID) {
        guard let index = providerIndex(provider, of: process),
            processes[process]?.providers[index].hasDelegate == true
        else { return }
        deliver(.providerDidReset(provider: provider), to: process)
    }

    func providerIndex(_ id: UUID, of process: UUID) -> Int? {
        processes[process]?.providers.firstIndex { $0.id == id }
    }

    var sortedProcesses: [ProcessRecord] {
        processes.values.sorted { $0.bundle < $1.bundle }
    }
}
