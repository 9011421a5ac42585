// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// The kind of device an interface is for.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// Not said.
    case unspecified = -1
    /// A phone.
    case phone = 0
    /// A tablet.
    case pad = 1
}

/// The phone the app runs on.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    /// What a battery does.
    public enum BatteryState: Int, Sendable {
        /// Not watched.
        case unknown = 0
        /// It empties.
        case unplugged = 1
        /// It fills.
        case charging = 2
        /// It is full.
        case full = 3
    }

    /// Something came near the phone, or went; the virtual phone never says so.
    public nonisolated static let proximityStateDidChangeNotification = NSNotification.Name(
        "UIDeviceProximityStateDidChangeNotification")

    private let process: AppProcess

    init(_ process: AppProcess) {
        self.process = process
        super.init()
    }

    /// The phone that runs the process.
    ///
    /// - Precondition: A phone runs the app.
    open class var current: UIDevice {
        let process = AppProcess.required(for: "UIDevice")
        return process.singleton { UIDevice(process) }
    }

    private var value: DeviceValue {
        guard case .device(let value) = process.send(.application(.readDevice)) else {
            return DeviceValue(name: "iPhone", model: "iPhone", systemVersion: "", identifierForVendor: nil)
        }
        return value
    }

    /// `iPhone`: since iOS 16 apps do not learn the user's name for it.
    open var name: String { value.name }
    /// `iPhone`.
    open var model: String { value.model }
    /// `iPhone`.
    open var localizedModel: String { value.model }
    /// `iOS`.
    open var systemName: String { "iOS" }
    /// The version of the phone's system, such as `26.4`.
    open var systemVersion: String { value.systemVersion }
    /// Names the phone for the apps of one vendor: of bundle identifiers whose first two parts are equal.
    open var identifierForVendor: UUID? { value.identifierForVendor }
    /// A phone.
    open var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
    /// Whether the screen goes dark at the ear.
    open var isProximityMonitoringEnabled = false {
        didSet { process.send(.application(.setProximityMonitoring(isProximityMonitoringEnabled))) }
    }
    /// Whether something is near; nothing ever is.
    open var proximityState: Bool { false }
    /// Whether the battery is watched.
    open var isBatteryMonitoringEnabled = false
    /// From 0 to 1; -1 while it is not watched.
    open var batteryLevel: Float { isBatteryMonitoringEnabled ? 1 : -1 }
    /// What the battery does.
    open var batteryState: BatteryState { isBatteryMonitoringEnabled ? .full : .unknown }
}
