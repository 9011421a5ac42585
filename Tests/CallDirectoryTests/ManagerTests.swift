// SPDX-License-Identifier: MIT

import CallKit
import Testing
import VirtualPhone

@Suite struct ManagerTests {
    private static let causes: [(DirectoryOperation, PhoneError)] =
        ((0...8) + [102]).map { (.reload, managerError($0)) } + [
            (.store, databaseError(11)), (.store, databaseError(19)),
        ]

    @Test("D6, R112: every error of a reload can be injected, the undocumented ones too", arguments: causes.indices)
    func injected(_ index: Int) async throws {
        let (operation, error) = ManagerTests.causes[index]
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        await bench.enable()
        bench.phone.faults.apply(.failedDirectory(operation, error))
        #expect(try await bench.reload() == error)
        #expect(bench.blocked == [1_000])
        #expect(try await bench.reload() == nil)
    }

    @Test("D6, P50: bug 13: an extension that the app does not have gives code 1")
    func unknownExtension() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        #expect(try await bench.reload("com.example.other") == managerError(1))
        #expect(bench.violations(of: "D6") == 1)
        bench.phone.install(
            App(
                bundleIdentifier: "com.example.other", displayName: "Other",
                callDirectoryExtensions: [DirectoryBench.scripted(bench.script, "com.example.other.directory")]
            ) { _ in 0 as AnyObject })
        #expect(try await bench.reload("com.example.other.directory") == managerError(1))
    }

    @Test("D6, D8: an extension that is switched off is not loaded: code 6")
    func disabled() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        #expect(try await bench.reload() == managerError(6))
        #expect(bench.script.runs == 0)
    }

    @Test("D6: a reload during a load gives code 7; another extension can be loaded meanwhile")
    func currentlyLoading() async throws {
        let other = DirectoryBench.directory + "2"
        let second = Script.blocking([2_000])
        let first = Script.blocking([1_000])
        let bench = DirectoryBench(
            first, extensions: [DirectoryBench.scripted(first), DirectoryBench.scripted(second, other)])
        defer { bench.close() }
        let app = try await bench.runningApp()
        bench.phone.callDirectory.setEnabled(DirectoryBench.directory, true)
        #expect(bench.phone.callDirectory.isLoading(DirectoryBench.directory))
        let answer = Answer<(any Error)?>()
        app.run {
            CXCallDirectoryManager.sharedInstance.reloadExtension(withIdentifier: DirectoryBench.directory) {
                answer.put($0)
            }
        }
        #expect((await answer.take() as? CXErrorCodeCallDirectoryManagerError)?.code == .currentlyLoading)
        await bench.enable(other)
        await bench.phone.callDirectory.finishLoading(DirectoryBench.directory)
        #expect(bench.phone.callDirectory.blocked(by: other) == [2_000])
        #expect(bench.blocked == [1_000])
    }

    @Test("D6: an extension that crashes gives code 2")
    func crash() async throws {
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        await bench.enable()
        let phone = bench.phone
        let error = try await bench.reload { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000)
            phone.faults.crashExtension(DirectoryBench.directory)
            script.complete(context)
        }
        #expect(error == managerError(2))
        #expect(bench.phone.deaths.last?.rule == "D6")
        #expect(bench.blocked == [1_000])
    }

    @Test("D6: a request that its extension cancels gives a code that is a setting")
    func cancelled() async throws {
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, _ in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000)
            context.cancelRequest(withError: CocoaError(.fileNoSuchFile))
        }
        #expect(error == managerError(2))
        #expect(bench.script.failures.isEmpty)
        #expect(bench.blocked == [1_000])
    }

    @Test("D6: an extension without a CXCallDirectoryProvider cannot be loaded: 102")
    func noProvider() async throws {
        let bench = DirectoryBench(
            extensions: [
                App.CallDirectoryExtension(bundleIdentifier: DirectoryBench.directory) { NSObject() }
            ])
        defer { bench.close() }
        await bench.enable()
        #expect(try await bench.reload() == managerError(102))
        #expect(bench.violations(of: "D6") == 2)
    }

    @Test("D8, R112: the status is the user's switch, whatever became of the load")
    func status() async throws {
        let bench = DirectoryBench(.blocking([2, 1]))
        defer { bench.close() }
        let app = try await bench.runningApp()
        func status(_ identifier: String = DirectoryBench.directory) async -> (Int, PhoneError?) {
            let answer = Answer<(Int, PhoneError?)>()
            app.run {
                CXCallDirectoryManager.sharedInstance.getEnabledStatusForExtension(withIdentifier: identifier) {
                    status, error in
                    answer.put((status.rawValue, error.map { managerError(($0 as NSError).code) }))
                }
            }
            return await answer.take()
        }
        #expect(await status() == (1, nil))
        await bench.enable()
        #expect(bench.lastReport?.error == managerError(3))
        #expect(await status() == (2, nil))
        #expect(await status("com.example.other") == (0, managerError(1)))
        bench.phone.faults.failNextDirectory(.status, code: 0)
        #expect(await status() == (0, managerError(0)))
        bench.phone.callDirectory.setEnabled(DirectoryBench.directory, false)
        #expect(await status() == (1, nil))
    }

    @Test("D8: openSettings shows the list of extensions before iOS 26, then the front page", arguments: [18, 26])
    func settings(_ major: Int) async throws {
        let bench = DirectoryBench(system: SystemVersion(major))
        defer { bench.close() }
        let app = try await bench.runningApp()
        let answer = Answer<(any Error)?>()
        app.run { CXCallDirectoryManager.sharedInstance.openSettings { answer.put($0) } }
        #expect(await answer.take() == nil)
        #expect(bench.phone.callDirectory.settingsPage == (major < 26 ? .callBlocking : .root))
        #expect(bench.phone.appState(of: DirectoryBench.app) == .background)
        let second = Answer<(any Error)?>()
        bench.phone.faults.failNextDirectory(.openSettings, code: 0)
        app.run { CXCallDirectoryManager.sharedInstance.openSettings { second.put($0) } }
        #expect((await second.take() as? CXErrorCodeCallDirectoryManagerError)?.code == .unknown)
    }

    @Test("D8: a new extension is off, and switching it on loads it")
    func offAtFirst() async throws {
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        #expect(!bench.phone.callDirectory.isEnabled(DirectoryBench.directory))
        await bench.enable()
        #expect(bench.phone.callDirectory.isEnabled(DirectoryBench.directory))
        #expect(bench.script.runs == 1)
    }

    @Test("The manager's async forms throw the same errors")
    func asyncForms() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        let app = try await bench.runningApp()
        let answer = Answer<[String]>()
        app.run {
            _ = Task {
                var seen: [String] = []
                let manager = CXCallDirectoryManager.sharedInstance
                do {
                    try await manager.reloadExtension(withIdentifier: DirectoryBench.directory)
                } catch CXErrorCodeCallDirectoryManagerError.extensionDisabled { seen.append("disabled") } catch {}
                do {
                    _ = try await manager.enabledStatusForExtension(withIdentifier: "none")
                } catch CXErrorCodeCallDirectoryManagerError.noExtensionFound { seen.append("none") } catch {}
                do {
                    try await manager.openSettings()
                    seen.append("settings")
                } catch {}
                answer.put(seen)
            }
        }
        #expect(await answer.take() == ["disabled", "none", "settings"])
    }
}
