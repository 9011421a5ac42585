// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCallDirectory
import OffhookDirectory
import OffhookNet
import VirtualPhone

/// A virtual phone with an app whose Call Directory extensions are processes of this program.
final class LoadBench: Sendable {
    private static let app = "com.example.app"

    private let folder: DirectoryFolder
    private let phone: VirtualPhone
    private let extensions: [String]
    private let process = Guarded<AppProcess?>(nil)

    /// Makes the phone, and switches the extensions on.
    init(folder: DirectoryFolder, storage: URL, extensions count: Int, memoryLimit: Int, executable: String) {
        self.folder = folder
        extensions = (0..<count).map { "\(LoadBench.app).directory\($0)" }
        var settings = PhoneSettings()
        settings.directory.memoryLimit = memoryLimit
        // Real time is what is measured here; an iPhone takes 10,000 to 220,000 a second.
        settings.directory.entriesPerSecond = nil
        settings.directory.loadsWhenEnabled = false
        phone = VirtualPhone(.init(settings: settings, seed: 1, storage: storage))
        let process = process
        phone.install(
            App(
                bundleIdentifier: LoadBench.app, displayName: "App",
                callDirectoryExtensions: extensions.enumerated().map { index, identifier in
                    App.CallDirectoryExtension(
                        bundleIdentifier: identifier, executable: executable,
                        arguments: DirectoryExtension.arguments(folder: folder.url, index: index, count: count))
                }
            ) { _ in
                process.withLock { $0 = AppProcess.current }
                return NSObject()
            })
        // Switching on anew would ask for the whole list.
        for identifier in extensions where !phone.callDirectory.isEnabled(identifier) {
            phone.callDirectory.setEnabled(identifier, true)
        }
        phone.open(LoadBench.app)
    }

    /// Where this program is.
    static func thisProgram() throws -> String {
        let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        // Inside the tests, the program lies beside them.
        let beside = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("offhook").path
        return FileManager.default.isExecutableFile(atPath: beside) ? beside : path
    }

    /// Publishes a file and has the phone load it.
    ///
    /// - Parameters:
    ///   - file: A compiled directory.
    ///   - progress: Called ten times a second with the entries given so far.
    /// - Returns: What it came to.
    /// - Throws: `DirectoryFolderError`.
    func load(_ file: URL, progress: @escaping @Sendable (Int) -> Void) async throws -> LoadReport {
        await phone.settle()
        guard let app = process.withLock({ $0 }) else {
            throw EnvironmentError(message: "the virtual phone did not start its app")
        }
        let (folder, extensions) = (folder, extensions)
        let watch = Task { [phone] in
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(100))
                let done = phone.callDirectory.loads.reduce(0) { $0 + $1.blockingAdded + $1.identificationAdded }
                progress(done + extensions.reduce(0) { $0 + phone.callDirectory.received(from: $1) })
            }
        }
        defer { watch.cancel() }
        let start = ContinuousClock.now
        let work = app.run {
            Task {
                let reloader = DirectoryReloader(
                    folder: folder, extensions: extensions, manager: CXCallDirectoryManager.sharedInstance)
                try await reloader.publish(file)
                return try await reloader.reload()
            }
        }
        let standings = try await work.value
        let duration = ContinuousClock.now - start
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        return LoadReport(extensions: standings.map(share(of:)), seconds: seconds)
    }

    private func share(of standing: DirectoryReloader.Standing) -> LoadReport.Share {
        let reports = phone.callDirectory.loads.filter { $0.extensionIdentifier == standing.identifier }
        let counts = phone.callDirectory.counts(of: standing.identifier)
        return LoadReport.Share(
            identifier: standing.identifier, isLoaded: standing.isLoaded,
            result: standing.lastResult.map { "\($0)" } ?? "not loaded", blocked: counts.blocking,
            labels: counts.identification, requests: reports.count,
            isIncremental: reports.allSatisfy(\.isIncremental),
            added: reports.reduce(0) { $0 + $1.blockingAdded + $1.identificationAdded },
            removed: reports.reduce(0) { $0 + $1.removed },
            failures: reports.compactMap(\.error).map { "\(LoadResult(domain: $0.domain, code: $0.code))" }
                + phone.deaths.map { "\($0.code): \($0.message)" },
            peakMemory: reports.compactMap(\.peakMemory).max())
    }

    /// Ends the phone.
    func close() {
        phone.shutDown()
    }
}
