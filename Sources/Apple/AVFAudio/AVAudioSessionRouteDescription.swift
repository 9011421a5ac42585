// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Where sound comes from and goes to.
open class AVAudioSessionRouteDescription: NSObject {
    private let route: AudioRouteValue

    /// The inputs; none when the category has none (V6).
    open var inputs: [AVAudioSessionPortDescription] { route.inputs.map(AVAudioSessionPortDescription.init) }
    /// The outputs; none when the category only records.
    open var outputs: [AVAudioSessionPortDescription] { route.outputs.map(AVAudioSessionPortDescription.init) }

    init(_ route: AudioRouteValue) {
        self.route = route
    }

    /// Whether another route has the same ports.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? AVAudioSessionRouteDescription)?.route == route
    }

    /// Equal routes have equal hashes.
    open override var hash: Int { route.hashValue }
}
