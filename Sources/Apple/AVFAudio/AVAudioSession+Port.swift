// SPDX-License-Identifier: MIT

extension AVAudioSession {
    /// What sound comes from or goes to.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// Apple's name of the value.
        public let rawValue: String

        /// Takes any name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A line input.
        public static let lineIn: AVAudioSession.Port = .init(rawValue: "LineIn")
        /// The phone's microphone.
        public static let builtInMic: AVAudioSession.Port = .init(rawValue: "MicrophoneBuiltIn")
        /// The microphone of a wired headset.
        public static let headsetMic: AVAudioSession.Port = .init(rawValue: "MicrophoneWired")
        /// A line output.
        public static let lineOut: AVAudioSession.Port = .init(rawValue: "LineOut")
        /// Wired headphones.
        public static let headphones: AVAudioSession.Port = .init(rawValue: "Headphones")
        /// A Bluetooth device for music.
        public static let bluetoothA2DP: AVAudioSession.Port = .init(rawValue: "BluetoothA2DPOutput")
        /// The phone's earpiece.
        public static let builtInReceiver: AVAudioSession.Port = .init(rawValue: "Receiver")
        /// The phone's speaker.
        public static let builtInSpeaker: AVAudioSession.Port = .init(rawValue: "Speaker")
        /// A display over HDMI.
        public static let HDMI: AVAudioSession.Port = .init(rawValue: "HDMIOutput")
        /// An AirPlay device.
        public static let airPlay: AVAudioSession.Port = .init(rawValue: "AirPlay")
        /// A Bluetooth Low Energy device.
        public static let bluetoothLE: AVAudioSession.Port = .init(rawValue: "BluetoothLE")
        /// A Bluetooth hands-free device.
        public static let bluetoothHFP: AVAudioSession.Port = .init(rawValue: "BluetoothHFP")
        /// A USB audio device.
        public static let usbAudio: AVAudioSession.Port = .init(rawValue: "USBAudio")
        /// A car.
        public static let carAudio: AVAudioSession.Port = .init(rawValue: "CarAudio")
        /// A device made by software.
        public static let virtual: AVAudioSession.Port = .init(rawValue: "Virtual")
        /// A PCI device.
        public static let PCI: AVAudioSession.Port = .init(rawValue: "PCI")
        /// A FireWire device.
        public static let fireWire: AVAudioSession.Port = .init(rawValue: "FireWire")
        /// A display over DisplayPort.
        public static let displayPort: AVAudioSession.Port = .init(rawValue: "DisplayPort")
        /// An Audio Video Bridging device.
        public static let AVB: AVAudioSession.Port = .init(rawValue: "AVB")
        /// A Thunderbolt device.
        public static let thunderbolt: AVAudioSession.Port = .init(rawValue: "Thunderbolt")
        /// The microphone of another device of the user's.
        public static let continuityMicrophone: AVAudioSession.Port = .init(rawValue: "ContinuityMicrophone")
        /// A device offered by an extension.
        public static let mediaDeviceExtension: AVAudioSession.Port = .init(rawValue: "MediaDeviceExtension")
    }
}
