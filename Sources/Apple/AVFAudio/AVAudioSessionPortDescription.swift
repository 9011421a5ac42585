// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// A thing that sound comes from or goes to.
///
/// Two objects of one port are equal.
open class AVAudioSessionPortDescription: NSObject {
    private let port: AudioPortValue

    /// What it is.
    open var portType: AVAudioSession.Port { .init(rawValue: port.type) }
    /// Its name.
    open var portName: String { port.name }
    /// Names it.
    open var uid: String { port.uid }
    /// Whether it cancels echoes itself.
    open var hasHardwareVoiceCallProcessing: Bool { portType == .bluetoothHFP }
    /// Whether it plays spatial sound.
    open var isSpatialAudioEnabled: Bool { false }
    /// Its channels: one.
    open var channels: [AVAudioSessionChannelDescription]? {
        [AVAudioSessionChannelDescription(port: uid, number: 1)]
    }
    /// The places it takes sound from; nil as it has no choice of them.
    open var dataSources: [AVAudioSessionDataSourceDescription]? { nil }
    /// The place it takes sound from.
    open var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// The place the app wants.
    open var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }
    /// What it can do as a Bluetooth microphone; nil when it is none.
    open var bluetoothMicrophoneExtension: AVAudioSessionPortExtensionBluetoothMicrophone? {
        port.bluetooth.map(AVAudioSessionPortExtensionBluetoothMicrophone.init)
    }

    init(_ port: AudioPortValue) {
        self.port = port
    }

    /// Wishes a place to take sound from.
    ///
    /// - Throws: ``AVAudioSession/ErrorCode/badParam`` for any.
    open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if dataSource != nil { throw AVAudioSession.ErrorCode.badParam.error }
    }

    /// Whether another object stands for the same port.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioSessionPortDescription)?.uid == uid
    }

    /// Objects of one port have equal hashes.
    open override var hash: Int { uid.hashValue }
}

/// What a Bluetooth microphone can do beside calls (V4).
open class AVAudioSessionPortExtensionBluetoothMicrophone: NSObject {
    private let microphone: AudioPortValue.BluetoothMicrophone

    /// Recording in high quality, from iOS 26.0 on.
    open var highQualityRecording: AVAudioSessionCapability {
        AVAudioSessionCapability(
            isSupported: microphone.canRecordInHighQuality, isEnabled: microphone.recordsInHighQuality)
    }
    /// Listening to a whole room, from iOS 26.2 on.
    open var farFieldCapture: AVAudioSessionCapability {
        AVAudioSessionCapability(isSupported: microphone.canHearFarField, isEnabled: microphone.hearsFarField)
    }

    init(_ microphone: AudioPortValue.BluetoothMicrophone) {
        self.microphone = microphone
    }
}

/// Something a port may be able to do.
open class AVAudioSessionCapability: NSObject {
    private let supported: Bool
    private let enabled: Bool

    /// Whether it can.
    open var isSupported: Bool { supported }
    /// Whether it does.
    open var isEnabled: Bool { enabled }

    init(isSupported: Bool, isEnabled: Bool) {
        supported = isSupported
        enabled = isEnabled
    }
}
