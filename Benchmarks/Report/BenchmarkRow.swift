// SPDX-License-Identifier: MIT

/// One figure, in the form of bench.json.
struct BenchmarkRow: Hashable, Sendable, Codable {
    /// Which way a figure is good.
    enum Better: Sendable {
        /// A rate.
        case higher
        /// A cost.
        case lower
    }

    /// What was measured, such as push.cpu.
    var id: String
    /// How many times the work was done.
    var n: Int
    /// The figure.
    var value: Double
    /// The figure's unit.
    var unit: String
    /// What it is compared with, measured in the same run; nil for nothing.
    var peer: String?
    /// The peer's figure, in the same unit.
    var peerValue: Double?
    /// How many times better than the peer.
    var ratio: Double?
    /// What to know about the figure.
    var note: String?

    private enum CodingKeys: String, CodingKey {
        case id, n, value, unit, peer
        case peerValue = "peer_value"
        case ratio, note
    }

    /// Makes a row without a peer.
    init(_ id: String, n: Int, value: Double, unit: String, note: String? = nil) {
        self.id = id
        self.n = n
        self.value = value
        self.unit = unit
        self.note = note
    }

    /// The row beside a peer's figure.
    func beside(_ peer: String, _ peerValue: Double, better: Better) -> BenchmarkRow {
        var row = self
        row.peer = peer
        row.peerValue = peerValue
        let (top, bottom) = better == .higher ? (value, peerValue) : (peerValue, value)
        row.ratio = bottom > 0 ? top / bottom : nil
        return row
    }

    /// Encodes a row; a field without a value is null, so that every row has all fields.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(n, forKey: .n)
        try container.encode(rounded(value), forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encode(peer, forKey: .peer)
        try container.encode(peerValue.map(rounded), forKey: .peerValue)
        try container.encode(ratio.map(rounded), forKey: .ratio)
        try container.encode(note, forKey: .note)
    }

    /// Four digits after the point are more than any figure here deserves.
    private func rounded(_ value: Double) -> Double {
        (value * 10_000).rounded() / 10_000
    }
}

/// One benchmark: its id and the function that measures.
struct Benchmark: Sendable {
    /// The ids of the rows it makes.
    var ids: [String]
    /// What it measures, in a few words.
    var summary: String
    /// Measures, and returns a row for each id and size.
    var run: @Sendable () async throws -> [BenchmarkRow]
}
