// SPDX-License-Identifier: MIT

import Foundation
import Testing
import UIKit
import VirtualPhone

private let bundle = "org.example.life"

/// Writes down its life, and does work in the background when it is told to.
private final class Delegate: NSObject, UIApplicationDelegate {
    private nonisolated let journal: Locked<[String]>
    private nonisolated let endsTask: Bool

    init(_ journal: Locked<[String]>, endsTask: Bool) {
        self.journal = journal
        self.endsTask = endsTask
    }

    private func add(_ line: String) { journal.withLock { $0.append(line) } }

    func applicationDidBecomeActive(_ application: UIApplication) { add("active") }
    func applicationWillResignActive(_ application: UIApplication) { add("inactive") }
    func applicationWillEnterForeground(_ application: UIApplication) { add("foreground") }
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) { add("protected") }
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { add("readable") }
    func applicationWillTerminate(_ application: UIApplication) { add("terminates") }

    func applicationDidEnterBackground(_ application: UIApplication) {
        add("background")
        let task = Locked(UIBackgroundTaskIdentifier.invalid)
        let begun = application.beginBackgroundTask(withName: "work") { [journal, endsTask] in
            journal.withLock { $0.append("expired") }
            if endsTask { application.endBackgroundTask(task.withLock { $0 }) }
        }
        task.withLock { $0 = begun }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct LifecycleTests {
    /// A phone whose app is on the screen.
    private func phone(_ journal: Locked<[String]>, endsTask: Bool = true) async -> VirtualPhone {
        let phone = VirtualPhone(.init(seed: 1))
        phone.install(
            App(bundleIdentifier: bundle, displayName: "Life") { Delegate(journal, endsTask: endsTask) })
        phone.open(bundle)
        await phone.settle()
        return phone
    }

    @Test("K7, R79: the delegate follows the app to the background, through the lock and back")
    func life() async {
        let journal = Locked<[String]>([])
        let phone = await phone(journal)
        defer { phone.shutDown() }
        phone.user.lock()
        await phone.settle()
        phone.user.unlock()
        phone.open(bundle)
        await phone.settle()
        #expect(
            journal.withLock { $0 } == [
                "active", "inactive", "background", "protected", "readable", "foreground", "active",
            ])
    }

    @Test("K11, R80: the expiration handler runs when the time is over; the app that ends its task is suspended")
    func expiration() async {
        let journal = Locked<[String]>([])
        let phone = await phone(journal)
        defer { phone.shutDown() }
        phone.user.goHome()
        await phone.advance(by: .seconds(29))
        #expect(journal.withLock { $0.last } == "background")
        await phone.advance(by: .seconds(2))
        #expect(journal.withLock { $0.last } == "expired")
        #expect(phone.appState(of: bundle) == .suspended && phone.violations.isEmpty)
    }

    @Test("K11: an app that does not end its task in the expiration handler is terminated")
    func overdue() async {
        let journal = Locked<[String]>([])
        let phone = await phone(journal, endsTask: false)
        defer { phone.shutDown() }
        phone.user.goHome()
        await phone.advance(by: .seconds(40))
        #expect(journal.withLock { $0.last } == "expired")
        #expect(phone.appState(of: bundle) == .notRunning && phone.deaths.map(\.code) == ["0x8badf00d"])
    }

    @Test("T5: an app on the screen that the user closes hears that it ends, and then ends")
    func closed() async {
        let journal = Locked<[String]>([])
        let phone = await phone(journal)
        defer { phone.shutDown() }
        phone.close(bundle)
        await phone.settle()
        #expect(journal.withLock { $0 } == ["active", "inactive", "background", "terminates"])
        #expect(phone.appState(of: bundle) == .notRunning && phone.deaths.map(\.code) == ["closed by the user"])
    }

    @Test("T5: an app in the background that runs hears it too; a suspended one does not")
    func closedInBackground() async {
        for (time, heard) in [(Duration.seconds(5), "terminates"), (.seconds(60), "expired")] {
            let journal = Locked<[String]>([])
            let phone = await phone(journal)
            defer { phone.shutDown() }
            phone.user.goHome()
            await phone.advance(by: time)
            phone.close(bundle)
            await phone.settle()
            #expect(journal.withLock { $0.last } == heard)
            #expect(phone.appState(of: bundle) == .notRunning)
        }
    }

    @Test("T5: an app that is opened while it ends is launched anew")
    func openedWhileClosing() async {
        let journal = Locked<[String]>([])
        let phone = await phone(journal)
        defer { phone.shutDown() }
        phone.close(bundle)
        phone.open(bundle)
        await phone.settle()
        #expect(phone.appState(of: bundle) == .foreground && phone.deaths.count == 1)
        #expect(journal.withLock { $0.last } == "active")
    }
}
