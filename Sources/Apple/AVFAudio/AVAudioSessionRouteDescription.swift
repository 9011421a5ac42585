// SPDX-License-Identifier: MIT

public import Foundation

/// Where sound comes from and goes to.
open class AVAudioSessionRouteDescription: NSObject {
    private let input: AVAudioSession.Port?
    private let output: AVAudioSession.Port?

    /// The inputs; none when the category has none (V6).
    open var inputs: [AVAudioSessionPortDescription] { input.map { [AVAudioSessionPortDescription($0)] } ?? [] }
    /// The outputs.
    open var outputs: [AVAudioSessionPortDescription] { output.map { [AVAudioSessionPortDescription($0)] } ?? [] }

    init(input: AVAudioSession.Port?, output: AVAudioSession.Port?) {
        self.input = input
        self.output = output
    }

    /// Whether another route has the same ports.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return input == other.input && output == other.output
    }

    /// Equal routes have equal hashes.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(input)
        hasher.combine(output)
        return hasher.finalize()
    }
}
