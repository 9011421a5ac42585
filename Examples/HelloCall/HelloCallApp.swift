// SPDX-License-Identifier: MIT

#if canImport(SwiftUI) && canImport(UIKit) && os(iOS)
    import Offhook
    import SwiftUI
    import UIKit

    /// The delegate that iOS calls first, in the foreground as after a push.
    @MainActor
    final class HelloCallDelegate: NSObject, UIApplicationDelegate {
        private(set) var app: HelloCall?

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
        ) -> Bool {
            let device = UIDevice.current.identifierForVendor?.uuidString ?? "unknown"
            let settings = HelloCallSettings(
                serverURL: "wss://calls.example.com/v1/socket", token: "from your sign-in", deviceID: device,
                bundleIdentifier: Bundle.main.bundleIdentifier ?? "", pushEnvironment: .development)
            app = HelloCall(settings, media: AppMedia.engine, transport: URLSessionSignalTransport())
            return true
        }
    }

    /// The app: copy this folder into an app target, and give the target its `@main`.
    public struct HelloCallApp: App {
        @UIApplicationDelegateAdaptor(HelloCallDelegate.self) private var delegate

        /// Makes the app.
        public init() {}

        /// The one window.
        public var body: some Scene {
            WindowGroup {
                if let app = delegate.app { CallView(model: CallScreenModel(app)) }
            }
        }
    }

    struct CallView: View {
        @ObservedObject var model: CallScreenModel
        @State private var name = ""

        var body: some View {
            VStack(spacing: 16) {
                Text(model.screen.title).font(.largeTitle)
                Text(model.screen.status).foregroundColor(.secondary)
                if model.screen.buttons.contains(.call) { TextField("Name", text: $name) }
                ForEach(model.screen.buttons, id: \.self) { button in
                    Button(title(of: button)) { Task { await model.tap(button, name: name) } }
                }
                if let problem = model.problem { Text(problem).foregroundColor(.red) }
            }
            .padding()
            .task { await model.follow() }
        }

        private func title(of button: CallScreen.Button) -> String {
            switch button {
            case .call: "Call"
            case .answer: "Answer"
            case .end: "End"
            case .mute: model.screen.isMuted ? "Unmute" : "Mute"
            case .hold: model.screen.isHeld ? "Resume" : "Hold"
            }
        }
    }
#endif
