// SPDX-License-Identifier: MIT

import AVFAudio
import Dispatch
import Foundation
import Testing
import VirtualPhone

/// A phone with apps that have nothing but their audio session.
struct AudioBench {
    static let bundle = "audio.app"
    let phone: VirtualPhone
    private let started = Locked<[String: AppProcess]>([:])

    /// Apps are installed before the phone is locked; none runs yet.
    init(
        system: SystemVersion = SystemVersion(26, 4), settings: PhoneSettings = PhoneSettings(),
        bundles: [String] = [bundle], change: (inout App) -> Void = { _ in }
    ) {
        phone = VirtualPhone(.init(system: system, settings: settings, seed: 5))
        for bundle in bundles {
            var app = App(bundleIdentifier: bundle, displayName: bundle) { [started] _ in
                if let process = AppProcess.current { started.withLock { $0[bundle] = process } }
                return NSObject()
            }
            change(&app)
            phone.install(app)
        }
    }

    /// Opens an app.
    ///
    /// - Returns: Its process.
    @discardableResult
    func open(_ bundle: String = bundle) async throws -> AppProcess {
        phone.open(bundle)
        await phone.settle()
        return try #require(started.withLock { $0[bundle] })
    }

    /// Opens an app.
    ///
    /// - Returns: Its session.
    func session(_ bundle: String = bundle) async throws -> AVAudioSession {
        try await open(bundle).run { AVAudioSession.sharedInstance() }
    }

    func close() { phone.shutDown() }
}

/// What an observer of an app's notifications was told.
final class Heard: Sendable {
    private let lines = Locked<[String]>([])
    private let tokens = Locked<[any NSObjectProtocol]>([])

    /// Observes a session: every notification becomes a line.
    init(_ session: AVAudioSession) {
        _ = Heard.mainKey
        let names: [NSNotification.Name] = [
            AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification,
            AVAudioSession.mediaServicesWereLostNotification, AVAudioSession.mediaServicesWereResetNotification,
            AVAudioSession.didBecomeActiveNotification, AVAudioSession.didBecomeInactiveNotification,
            AVAudioSession.resumptionRecommendationNotification, AVAudioSession.availableInputsChangeNotification,
        ]
        for name in names {
            let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
                [lines] note in
                let line = Heard.describe(note)
                lines.withLock { $0.append(line) }
            }
            tokens.withLock { $0.append(token) }
        }
    }

    deinit {
        for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
    }

    /// The lines so far; they are forgotten.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    // On Linux the main queue need not run on the main thread.
    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private static func describe(_ note: Notification) -> String {
        let thread = DispatchQueue.getSpecific(key: mainKey) == true ? " main" : ""
        let info = note.userInfo ?? [:]
        switch note.name {
        case AVAudioSession.interruptionNotification:
            let type = (info[AVAudioSessionInterruptionTypeKey] as? UInt)
                .flatMap(AVAudioSession.InterruptionType.init(rawValue:))
            if type == .began {
                let reason = (info[AVAudioSessionInterruptionReasonKey] as? UInt) ?? 99
                return "began \(reason)\(thread)"
            }
            let options = info[AVAudioSessionInterruptionOptionKey] as? UInt
            let resumes = options.map { AVAudioSession.InterruptionOptions(rawValue: $0).contains(.shouldResume) }
            return "ended \(resumes.map { $0 ? "resume" : "stay" } ?? "-")\(thread)"
        case AVAudioSession.routeChangeNotification:
            let reason = (info[AVAudioSessionRouteChangeReasonKey] as? UInt)
                .flatMap(AVAudioSession.RouteChangeReason.init(rawValue:))
            let previous = info[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            let ports = previous?.outputs.map(\.portType.rawValue).joined(separator: "+") ?? "?"
            return "route \(reason.map { "\($0)" } ?? "-") from \(ports)\(thread)"
        case AVAudioSession.mediaServicesWereLostNotification: return "lost\(thread)"
        case AVAudioSession.mediaServicesWereResetNotification: return "reset\(thread)"
        case AVAudioSession.didBecomeActiveNotification: return "active\(thread)"
        case AVAudioSession.didBecomeInactiveNotification:
            let context = info[AVAudioSession.deactivationContextKey] as? AVAudioSession.DeactivationContext
            let reason = context?.interruptionContext.map { " by \($0.reason)" } ?? ""
            return "inactive \(context.map { "\($0.source)" } ?? "-")\(reason)\(thread)"
        case AVAudioSession.resumptionRecommendationNotification:
            let context = info[AVAudioSession.resumptionContextKey] as? AVAudioSession.ResumptionContext
            return "recommends \(context.map { "\($0.recommendation)" } ?? "-")\(thread)"
        case AVAudioSession.availableInputsChangeNotification: return "inputs"
        default: return note.name.rawValue
        }
    }
}

/// The code of the error that a call of Apple's throws; nil when it throws none.
func audioError(_ body: () throws -> Void) -> Int? {
    do {
        try body()
        return nil
    } catch {
        return (error as NSError).domain == NSOSStatusErrorDomain ? (error as NSError).code : -1
    }
}
