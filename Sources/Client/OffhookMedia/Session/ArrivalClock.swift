// SPDX-License-Identifier: MIT

/// Where decoded sound is on the sender's time line, by the RTP timestamps of its packets (RFC 3550, section 5.1).
///
/// Buffer times cannot tell: the jitter buffer moves them while it learns how late packets come. A timestamp is exact to
/// the sample, and a pause of the sender is a step of it. A pure value; time is in samples of 48 kHz.
struct ArrivalClock: Hashable, Sendable {
    private var source: UInt32?
    private var timestamp: UInt32 = 0
    private var packet: Int?
    private var position = 0

    /// Takes the head of the packet that is decoded next.
    mutating func arrive(timestamp: UInt32, source: UInt32) {
        if self.source == source {
            // The shortest way round: timestamps wrap after 24.8 hours.
            lastPacket += Int(Int32(bitPattern: timestamp &- self.timestamp))
        } else {
            self.source = source
            lastPacket = position
        }
        self.timestamp = timestamp
        packet = lastPacket
    }

    /// Takes decoded samples and tells where they begin; sound that stands in for a lost packet follows what was before.
    mutating func decode(_ count: Int) -> Int {
        let start = packet ?? position
        packet = nil
        position = start + count
        return start
    }

    private var lastPacket = 0
}
