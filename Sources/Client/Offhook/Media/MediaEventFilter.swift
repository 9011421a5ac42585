// SPDX-License-Identifier: MIT

/// Lets through what a session may say by the contract, so that no engine can surprise the call rules.
struct MediaEventFilter: Hashable, Sendable {
    private let generation: Int
    private var isConnected = false
    private var hasMedia = false
    private var isInterrupted = false
    private var isOver = false

    init(generation: Int) {
        self.generation = generation
    }

    /// Whether the event counts; one that repeats what was said, or comes after the end, does not.
    mutating func admits(_ event: MediaEvent) -> Bool {
        guard !isOver else { return false }
        switch event {
        case .signal(let signal):
            return signal.generation == generation  // M15
        case .connected:
            return MediaEventFilter.turn(&isConnected, to: true)
        case .remoteMedia:
            return MediaEventFilter.turn(&hasMedia, to: true)  // M7
        case .interrupted:
            return hasMedia && MediaEventFilter.turn(&isInterrupted, to: true)  // M8
        case .restored:
            return MediaEventFilter.turn(&isInterrupted, to: false)
        case .remoteVideo:
            return true
        case .failed:
            return MediaEventFilter.turn(&isOver, to: true)  // M16
        }
    }

    private static func turn(_ flag: inout Bool, to value: Bool) -> Bool {
        defer { flag = value }
        return flag != value
    }
}
