// SPDX-License-Identifier: MIT

public import Foundation

/// A thing that sound comes from or goes to.
///
/// Two objects of one port are equal.
open class AVAudioSessionPortDescription: NSObject {
    private let type: AVAudioSession.Port

    /// What it is.
    open var portType: AVAudioSession.Port { type }
    /// Its name.
    open var portName: String { type.rawValue }
    /// Names it.
    open var uid: String { "Virtual \(type.rawValue)" }
    /// Whether it cancels echoes itself.
    open var hasHardwareVoiceCallProcessing: Bool { type == .bluetoothHFP }
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
        type == .bluetoothHFP ? AVAudioSessionPortExtensionBluetoothMicrophone() : nil
    }

    init(_ type: AVAudioSession.Port) {
        self.type = type
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

/// What a Bluetooth microphone can do: on the virtual phone, calls alone.
open class AVAudioSessionPortExtensionBluetoothMicrophone: NSObject {
    /// Recording in high quality (V4).
    open var highQualityRecording: AVAudioSessionCapability { AVAudioSessionCapability() }
    /// Listening to a whole room (V4).
    open var farFieldCapture: AVAudioSessionCapability { AVAudioSessionCapability() }
}

/// Something a port may be able to do.
open class AVAudioSessionCapability: NSObject {
    /// Whether it can.
    open var isSupported: Bool { false }
    /// Whether it does.
    open var isEnabled: Bool { false }
}
