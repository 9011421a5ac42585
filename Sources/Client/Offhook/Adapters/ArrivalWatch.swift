// SPDX-License-Identifier: MIT

/// Says from a growing count of received packets when media came, stopped and came again (R93, R94).
struct ArrivalWatch: Hashable, Sendable {
    /// After how many looks without a packet media counts as interrupted.
    let patience: Int
    private var packets = 0
    private var quiet = 0
    private var hasHeard = false
    private var isInterrupted = false

    init(patience: Int) {
        self.patience = patience
    }

    /// Takes a look; while nothing is expected, such as during a hold, silence does not count.
    mutating func look(_ count: Int, expected: Bool) -> MediaEvent? {
        let grew = count > packets
        packets = count
        guard grew else {
            quiet = expected ? quiet + 1 : 0
            guard hasHeard, !isInterrupted, quiet >= patience else { return nil }
            isInterrupted = true
            return .interrupted
        }
        quiet = 0
        guard hasHeard else {
            hasHeard = true
            return .remoteMedia
        }
        guard isInterrupted else { return nil }
        isInterrupted = false
        return .restored
    }
}
