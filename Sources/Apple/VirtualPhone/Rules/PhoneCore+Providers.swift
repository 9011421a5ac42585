// SPDX-License-Identifier: MIT

import Foundation

// P1-P3, R15, T3: providers and the call daemon.
extension PhoneCore {
    mutating func createProvider(_ id: UUID, configuration: ProviderConfigurationValue, of process: UUID) {
        guard let record = processes[process] else { return }
        noteFramework(configuration.framework, of: process)
        log(.app, "created a provider", rule: "P1", app: record.bundle)
        checkFrameworks(of: process)
        if record.providers.contains(where: { !$0.isForgotten && $0.configuration.framework == configuration.framework }
        ) {
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
            deliver(.providerDidBegin(provider: id), to: process)
            processes[process]?.providers[index].hasBegun = true
        }
        startWaitingTransactions()
        updateAudio()
    }

    /// P3: the provider's calls end as failed; its delegate hears nothing more.
    mutating func invalidate(_ id: UUID, of process: UUID) {
        guard let bundle = processes[process]?.bundle, providerIndex(id, of: process) != nil else { return }
        log(.app, "invalidated the provider", rule: "P3", app: bundle)
        remove(id, of: process)
    }

    /// P3: the provider was deallocated; as `invalidate()`, with a word.
    mutating func release(_ id: UUID, of process: UUID) {
        guard let bundle = processes[process]?.bundle, let index = providerIndex(id, of: process),
            let provider = processes[process]?.providers[index]
        else { return }
        log(.app, "released the provider", rule: "P3", app: bundle)
        let hasCalls = calls.contains { $0.bundle == bundle && $0.provider == id }
        let what = "a CXProvider was deallocated without invalidate()"
        let advice = "Keep the provider in a property for the app's life, or call invalidate() before it goes."
        if hasCalls {
            violate("P3", "\(what), and its calls ended as failed", advice: advice, app: bundle)
        } else if !provider.isForgotten {
            warn("P3", what, advice: advice, app: bundle)
        }
        remove(id, of: process)
    }

    private mutating func remove(_ id: UUID, of process: UUID) {
        let own = calls.filter { call in
            provider(for: call).map { $0.process == process && $0.provider.id == id } ?? false
        }
        processes[process]?.providers.removeAll { $0.id == id }
        givenWarnings = givenWarnings.filter { $0.provider != id }
        // What waits for the launch to end is for nobody any more.
        processes[process]?.held.removeAll { $0.event.endpoint == id }
        if audio.active?.provider == id {
            audio.active = nil
            limitRunningAudio(of: process)
        }
        if audio.pending?.provider == id { cancelActivation() }
        for transaction in transactions where transaction.provider == id { drop(transaction) }
        for call in own { finish(call.uuid, outcome: .failed, rule: "P3") }
    }

    /// P2: the daemon crashed and came back: every call is gone, every provider is reset.
    mutating func restartDaemon() {
        log(.phone, "the call daemon restarted", rule: "P2")
        // Those of the mobile network live on.
        let gone = calls.filter { $0.other == nil }
        calls.removeAll { $0.other == nil }
        closingCalls = []
        for transaction in transactions { drop(transaction) }
        breakConnections()
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

    /// P1: the provider holds its delegate weakly; an event found nobody.
    mutating func delegateReleased(of id: UUID, process: UUID) {
        guard let bundle = processes[process]?.bundle, let index = providerIndex(id, of: process),
            processes[process]?.providers[index].hasDelegate == true
        else { return }
        processes[process]?.providers[index].hasDelegate = false
        violate(
            "R15", "the provider's delegate was deallocated: nobody performs its actions",
            advice: "Keep the delegate in a property: the provider holds it weakly.", app: bundle)
    }

    /// T11: an optional method that most calls need is not there; said once a provider.
    mutating func delegateMethodMissing(_ method: String, consequence: String, provider: UUID, process: UUID) {
        guard let bundle = processes[process]?.bundle,
            givenWarnings.insert(GivenWarning(process: process, provider: provider, what: method)).inserted
        else { return }
        warn(
            "T11", "the provider's delegate does not implement \(method): \(consequence)",
            advice: "Implement it; if it is there, compare its name, labels and types with this one letter by letter: "
                + "a misspelt method is another method, which neither Apple's runtime nor the phone ever calls.",
            app: bundle)
    }

    /// P15, T5: the provider that speaks for what belongs to none of the process's providers.
    func newestProvider(of process: ProcessRecord) -> ProcessRecord.Provider? {
        settings.newestProviderTakesOver ? process.providers.last : process.providers.first
    }

    func providerIndex(_ id: UUID, of process: UUID) -> Int? {
        processes[process]?.providers.firstIndex { $0.id == id }
    }

    /// All processes in an order that does not depend on the dictionary's.
    var sortedProcesses: [ProcessRecord] {
        guard processes.count > 1 else { return Array(processes.values) }
        return processes.values.sorted {
            $0.bundle == $1.bundle ? $0.id.uuidString < $1.id.uuidString : $0.bundle < $1.bundle
        }
    }
}
