// SPDX-License-Identifier: MIT

import CallKit
import Intents
import PushKit
import Testing
import UIKit
import VirtualPhone

private let bundle = "org.example.app"

/// Writes down what it is told.
private class Delegate: UIResponder, UIApplicationDelegate {
    nonisolated let journal: Journal
    var window: UIWindow?

    init(_ journal: Journal) {
        self.journal = journal
        super.init()
    }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        journal.add("will finish")
        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        journal.add("did finish, options: \(launchOptions == nil ? "none" : "some")")
        journal.add("delegate is me: \(UIApplication.shared.delegate === self)")
        application.registerForRemoteNotifications()
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UIViewController()
        window.makeKeyAndVisible()
        self.window = window
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        journal.add("token of \(deviceToken.count) bytes")
    }

    func application(
        _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        journal.add("no token: \((error as NSError).code)")
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        let intent = userActivity.interaction?.intent as? INStartCallIntent
        let handle = intent?.contacts?.first?.personHandle
        journal.add("continue \(handle?.value ?? "nobody") \(intent?.callCapability == .videoCall ? "video" : "audio")")
        return true
    }
}

/// Has nothing but the defaults.
private class PlainDelegate: NSObject, UIApplicationDelegate {}

/// What happened, from any thread.
private final class Journal: Sendable {
    private let lines = OSAllocatedLines()

    func add(_ line: String) { lines.append(line) }
    var all: [String] { lines.all }
}

private final class OSAllocatedLines {
    private let lock = NSLock()
    private var lines: [String] = []

    func append(_ line: String) { lock.withLock { lines.append(line) } }
    var all: [String] { lock.withLock { lines } }
}

// Protected by `lock`.
extension OSAllocatedLines: @unchecked Sendable {}

extension AppleShimsTests {
    @Suite struct ApplicationTests {
        private func phone(_ journal: Journal, environment: App.APNsEnvironment? = .development) -> VirtualPhone {
            let phone = VirtualPhone()
            phone.install(
                App(bundleIdentifier: bundle, displayName: "App", apsEnvironment: environment) { Delegate(journal) })
            return phone
        }

        @Test("R8: the delegate is made and told of the launch before anything else comes")
        func launch() async {
            let journal = Journal()
            let phone = phone(journal)
            defer { phone.shutDown() }
            phone.open(bundle)
            await phone.settle()
            #expect(
                journal.all.prefix(4) == [
                    "will finish", "did finish, options: none", "delegate is me: true", "token of 32 bytes",
                ]
                    || journal.all.prefix(3) == ["will finish", "did finish, options: none", "delegate is me: true"])
            #expect(journal.all.contains("token of 32 bytes"))
        }

        @Test("R3: without the entitlement the delegate hears that there is no token")
        func noToken() async {
            let journal = Journal()
            let phone = phone(journal, environment: nil)
            defer { phone.shutDown() }
            phone.open(bundle)
            await phone.settle()
            #expect(journal.all.contains("no token: 3000"))
        }

        @Test("R5: the app opens its settings, and only from the screen")
        func settings() async throws {
            let phone = phone(Journal())
            defer { phone.shutDown() }
            phone.open(bundle)
            await phone.settle()
            let app = try #require(phone.process(of: bundle))
            try await app.run {
                let url = try #require(URL(string: UIApplication.openSettingsURLString))
                let opened = await UIApplication.shared.open(url)
                #expect(opened && phone.openedURLs == ["app-settings:"])
                phone.user.goHome()
                await phone.settle()
                let openedInBackground = await UIApplication.shared.open(url)
                #expect(!openedInBackground && phone.openedURLs.count == 1)
            }
        }

        @Test("K11: an app asks for time in the background, and gives it back once")
        func backgroundTask() async throws {
            let phone = phone(Journal())
            defer { phone.shutDown() }
            phone.open(bundle)
            await phone.settle()
            let app = try #require(phone.process(of: bundle))
            await MainActor.run {
                let application = app.run { UIApplication.shared }
                let task = application.beginBackgroundTask(withName: "call") {}
                let other = application.beginBackgroundTask {}
                #expect(task != .invalid && other != task)
                application.endBackgroundTask(task)
                application.endBackgroundTask(task)
                application.endBackgroundTask(.invalid)
                application.endBackgroundTask(other)
                #expect(application.applicationState == .active)
            }
        }

        @Test("R123: a call from Recents comes as an INStartCallIntent with the handle")
        func activity() async throws {
            let journal = Journal()
            let phone = phone(journal)
            defer { phone.shutDown() }
            let handle = HandleValue(type: 2, value: "+14155550100")
            try phone.user.callFromContacts(handle, with: bundle, isVideo: true)
            await phone.settle()
            #expect(journal.all.contains("continue +14155550100 video"))
            phone.user.goHome()
            try phone.user.callFromContacts(handle, with: bundle)
            await phone.settle()
            #expect(journal.all.last == "continue +14155550100 audio" && phone.violations.isEmpty)
        }

        @Test("P46: an app whose delegate does not take the call from Recents is told so")
        func activityNotTaken() async throws {
            let phone = VirtualPhone()
            defer { phone.shutDown() }
            phone.install(App(bundleIdentifier: bundle, displayName: "App") { PlainDelegate() })
            try phone.user.callFromContacts(HandleValue(type: 2, value: "+14155550100"), with: bundle)
            await phone.settle()
            #expect(phone.violations.map(\.rule) == ["R123"])
        }

        @Test("R125: a donated call is known to the phone")
        func donation() async {
            let phone = VirtualPhone()
            defer { phone.shutDown() }
            phone.install(
                App(bundleIdentifier: bundle, displayName: "App") { _ in
                    let person = INPerson(
                        personHandle: INPersonHandle(value: "ann", type: .unknown), nameComponents: nil,
                        displayName: "Ann",
                        image: nil, contactIdentifier: nil, customIdentifier: nil)
                    let interaction = INInteraction(intent: INStartAudioCallIntent(contacts: [person]), response: nil)
                    interaction.direction = .outgoing
                    interaction.donate(completion: nil)
                    return interaction
                })
            phone.open(bundle)
            await phone.settle()
            #expect(
                phone.donations(of: bundle) == [
                    DonationValue(intent: "INStartAudioCallIntent", direction: 1, handles: ["ann"])
                ])
        }

        @Test func device() async throws {
            let phone = phone(Journal())
            defer { phone.shutDown() }
            phone.open(bundle)
            await phone.settle()
            let app = try #require(phone.process(of: bundle))
            await app.run {
                await MainActor.run {
                    let device = UIDevice.current
                    #expect(device.systemVersion == "26.4" && device.model == "iPhone" && device === UIDevice.current)
                    #expect(
                        device.identifierForVendor != nil
                            && device.identifierForVendor == UIDevice.current.identifierForVendor)
                    device.isProximityMonitoringEnabled = true
                }
            }
        }

        @Test func pictures() throws {
            let icon = try #require(UIImage(named: "CallIcon"))
            let data = try #require(icon.pngData())
            let again = try #require(UIImage(data: data))
            #expect(again.size == CGSize(width: 40, height: 40) && again.pngData() == data)
            #expect(UIImage(data: Data("GIF89a".utf8)) == nil && UIImage(data: Data()) == nil)
            #expect(UIImage(data: data.prefix(20)) == nil)
            let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 17, 8, 0, 10, 0, 20, 3])
            #expect(UIImage(data: jpeg)?.size == CGSize(width: 20, height: 10))
        }

        @Test func sharedFolder() async throws {
            let phone = VirtualPhone()
            defer { phone.shutDown() }
            let journal = Journal()
            phone.install(
                App(bundleIdentifier: bundle, displayName: "App", appGroups: ["group.org.example"]) { _ in
                    let files = FileManager.default
                    let folder = files.containerURL(forSecurityApplicationGroupIdentifier: "group.org.example")
                    journal.add(folder?.path ?? "none")
                    let other = files.containerURL(forSecurityApplicationGroupIdentifier: "group.org.other")
                    journal.add(other?.path ?? "none")
                    return autoreleasepool { NSObject() }
                })
            phone.open(bundle)
            await phone.settle()
            let path = try #require(journal.all.first)
            #expect(journal.all.last == "none" && FileManager.default.fileExists(atPath: path))
            phone.shutDown()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
