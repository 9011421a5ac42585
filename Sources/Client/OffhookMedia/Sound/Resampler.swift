// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// Reads sound at another rate: a Hann-windowed sinc of 32 taps, cut off at the lower of both rates.
struct Resampler: Sendable {
    private static let phases = 256
    private let step: Double
    private let taps: Int
    private let kernel: [Float]

    /// - Precondition: both rates are 1 or more.
    init(from input: Int, to output: Int) {
        precondition(input >= 1 && output >= 1, "sample rates are 1 or more")
        step = Double(input) / Double(output)
        let cutoff = min(1, 1 / step) * 0.95
        let half = max(16, min(256, Int((16 * max(1, step)).rounded(.up))))
        taps = 2 * half
        var table: [Float] = []
        table.reserveCapacity((Self.phases + 1) * taps)
        for phase in 0...Self.phases {
            let fraction = Double(phase) / Double(Self.phases)
            var row: [Double] = []
            for tap in 0..<taps {
                let distance = Double(tap - half + 1) - fraction
                let angle = Double.pi * distance * cutoff
                let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
                let window = abs(distance) >= Double(half) ? 0 : 0.5 + 0.5 * cos(Double.pi * distance / Double(half))
                row.append(sinc * window)
            }
            let sum = row.reduce(0, +)
            table += row.map { Float($0 / sum) }
        }
        kernel = table
    }

    /// Samples `first ..< first + count` of the output; outside the input there is silence.
    func output(of input: [Int16], from first: Int, count: Int) -> [Int16] {
        guard count > 0 else { return [] }
        let half = taps / 2
        return [Int16](unsafeUninitializedCapacity: count) { buffer, initialized in
            input.withUnsafeBufferPointer { source in
                kernel.withUnsafeBufferPointer { table in
                    for index in 0..<count {
                        let position = Double(first + index) * step
                        let whole = Int(position)
                        let row = Int(((position - Double(whole)) * Double(Self.phases)).rounded()) * taps
                        let start = whole - half + 1
                        var sum: Float = 0
                        var tap = max(0, -start)
                        let end = min(taps, source.count - start)
                        while tap < end {
                            sum += Float(source[start + tap]) * table[row + tap]
                            tap += 1
                        }
                        buffer[index] = Int16(max(-32_768, min(32_767, sum.rounded())))
                    }
                }
            }
            initialized = count
        }
    }
}
