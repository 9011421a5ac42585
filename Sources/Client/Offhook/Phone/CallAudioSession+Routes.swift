// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import AVFAudio
    import OffhookCore

    // R51, R52: the ways for the sound.
    extension CallAudioSession {
        var currentRoutes: AudioRoutes {
            let route = session.currentRoute
            return AudioRoutes(
                inputs: (session.availableInputs ?? []).map { SoundPort($0) },
                currentInput: route.inputs.first.map { SoundPort($0) },
                currentOutput: route.outputs.first.map { SoundPort($0) }, hasReceiver: hasReceiver)
        }

        /// Sends the sound another way: the speaker by an override, everything else by the input that goes with it.
        ///
        /// The category and its options stay (R52). The change comes back as a route change.
        func select(_ route: AudioRoute.ID) throws {
            switch route {
            case AudioRoute.speaker:
                try session.overrideOutputAudioPort(.speaker)
            case AudioRoute.receiver:
                try session.overrideOutputAudioPort(.none)
                try session.setPreferredInput(session.availableInputs?.first { $0.portType == .builtInMic })
            default:
                let input = session.availableInputs?.first { $0.uid == route }
                let isOutput = session.currentRoute.outputs.contains { $0.uid == route }
                guard input != nil || isOutput || currentRoutes.available.contains(where: { $0.id == route }) else {
                    throw OffhookError(.invalidArgument, "No such route; take one of the routes that are listed.")
                }
                try session.overrideOutputAudioPort(.none)
                try session.setPreferredInput(input)
            }
        }
    }

    /// A port of the audio session: what a route is made of.
    struct SoundPort: Hashable {
        var type: AVAudioSession.Port
        var name: String
        var uid: String
    }

    extension SoundPort {
        init(_ port: AVAudioSessionPortDescription) {
            self.init(type: port.portType, name: port.portName, uid: port.uid)
        }

        /// What kind of way the port is.
        var kind: AudioRoute.Kind {
            switch type {
            case .builtInReceiver: .receiver
            case .builtInSpeaker: .speaker
            case .headsetMic, .headphones, .lineIn, .lineOut, .usbAudio: .wired
            case .bluetoothHFP, .bluetoothA2DP, .bluetoothLE: .bluetooth
            case .carAudio: .car
            // Port types are names, and new ones come.
            default: .other
            }
        }
    }

    extension AudioRoute {
        /// The loudspeaker's id.
        static let speaker = "speaker"
        /// The receiver's id.
        static let receiver = "receiver"
    }

    extension AudioRoutes {
        /// The routes that these ports make.
        ///
        /// - Parameters:
        ///   - inputs: What can be heard with; a headset is one of them.
        ///   - currentInput: What is heard with.
        ///   - currentOutput: Where it sounds.
        ///   - hasReceiver: Whether the device is one for the ear.
        init(inputs: [SoundPort], currentInput: SoundPort?, currentOutput: SoundPort?, hasReceiver: Bool) {
            var devices = inputs.filter { $0.type != .builtInMic }
            let isBuiltIn = currentOutput.map { [.builtInReceiver, .builtInSpeaker].contains($0.type) } ?? true
            let usesDevice = !isBuiltIn && currentInput.map { devices.contains($0) } == true
            // Headphones without a microphone, or a loudspeaker somewhere else.
            if let currentOutput, !isBuiltIn, !usesDevice { devices.append(currentOutput) }
            let isWired = devices.contains { $0.kind == .wired }
            var available: [AudioRoute] = []
            if hasReceiver, !isWired {
                available.append(AudioRoute(id: AudioRoute.receiver, kind: .receiver, name: "Receiver"))
            }
            available.append(AudioRoute(id: AudioRoute.speaker, kind: .speaker, name: "Speaker"))
            available += devices.map { AudioRoute(id: $0.uid, kind: $0.kind, name: $0.name) }
            let current: AudioRoute.ID? =
                switch currentOutput?.kind {
                case nil: nil
                case .speaker: AudioRoute.speaker
                case .receiver: AudioRoute.receiver
                case .wired, .bluetooth, .car, .other: usesDevice ? currentInput?.uid : currentOutput?.uid
                }
            self.init(available: available, current: current)
        }
    }
#endif
