// SPDX-License-Identifier: MIT

/// Where in `heard` the sound `said` is, and how alike the two are.
///
/// The sounds are compared at every lag from `-maximumLag` to `maximumLag`, over the part where they overlap; lags
/// with less than half of the shorter sound in common do not count. Sounds of different rates are brought to 48 kHz.
///
/// - Parameters:
///   - said: The sound looked for.
///   - heard: The sound searched.
///   - maximumLag: How far `said` may be moved against `heard` in both directions.
/// - Returns: The normalised cross-correlation, -1 to 1 (0 when there is nothing to compare, as with silence), and the
///   place of `said`'s first sample in `heard`, exact to the sample.
/// - Complexity: O(n log n) in the number of samples.
public func bestCorrelation(
    of said: PCM, in heard: PCM, maximumLag: Duration = .seconds(2)
) -> (value: Double, lag: Duration) {
    let rate = said.sampleRate == heard.sampleRate ? said.sampleRate : AudioFormat.sampleRate
    let search = CorrelationSearch(
        said: said.resampled(to: rate).samples, heard: heard.resampled(to: rate).samples)
    let limit = abs(maximumLag.samples(rate: rate))
    let found = search.best(in: -limit...limit)
    return (found.value, .samples(found.lag, rate: rate))
}

/// How long after it was said a voice was heard, by both recordings' start times.
///
/// - Parameters:
///   - said: What was really sent; ``PCM/start`` is set.
///   - heard: What the other side heard; ``PCM/start`` is set, on the same machine.
///   - maximumDelay: The longest delay looked for.
/// - Returns: How alike the two are (see ``bestCorrelation(of:in:maximumLag:)``) and the delay; nil without start times.
public func voiceDelay(
    from said: PCM, to heard: PCM, maximumDelay: Duration = .seconds(2)
) -> (value: Double, delay: Duration)? {
    guard let spoken = said.start, let began = heard.start else { return nil }
    let rate = said.sampleRate == heard.sampleRate ? said.sampleRate : AudioFormat.sampleRate
    let search = CorrelationSearch(
        said: said.resampled(to: rate).samples, heard: heard.resampled(to: rate).samples)
    let offset = (spoken - began).samples(rate: rate)
    let found = search.best(in: offset...offset + abs(maximumDelay.samples(rate: rate)))
    return (found.value, .samples(found.lag - offset, rate: rate))
}

/// Finds the lag at which one sound is most like another: coarsely by FFT at about 6 kHz, then exactly.
struct CorrelationSearch {
    private static let factor = 8
    private let said: [Int16]
    private let heard: [Int16]

    init(said: [Int16], heard: [Int16]) {
        self.said = said
        self.heard = heard
    }

    func best(in lags: ClosedRange<Int>) -> (value: Double, lag: Int) {
        guard !said.isEmpty, !heard.isEmpty else { return (0, 0) }
        let coarse = coarseLag(in: lags)
        var best = (value: 0.0, lag: 0)
        var found = false
        for lag in coarse - Self.factor...coarse + Self.factor where lags.contains(lag) {
            let value = correlation(at: lag)
            if !found || value > best.value { best = (value, lag) }
            found = true
        }
        return best
    }

    /// The normalised cross-correlation at one lag, at the full rate.
    func correlation(at lag: Int) -> Double {
        let first = max(0, -lag)
        let last = min(said.count, heard.count - lag)
        guard last > first else { return 0 }
        return said.withUnsafeBufferPointer { left in
            heard.withUnsafeBufferPointer { right in
                var product = 0.0
                var leftEnergy = 0.0
                var rightEnergy = 0.0
                var index = first
                while index < last {
                    let one = Double(left[index])
                    let other = Double(right[index + lag])
                    product += one * other
                    leftEnergy += one * one
                    rightEnergy += other * other
                    index += 1
                }
                guard leftEnergy > 0, rightEnergy > 0 else { return 0 }
                return product / (leftEnergy * rightEnergy).squareRoot()
            }
        }
    }

    private func coarseLag(in lags: ClosedRange<Int>) -> Int {
        let left = Self.decimated(said)
        let right = Self.decimated(heard)
        let products = FourierTransform.crossCorrelation(of: left, in: right)
        let leftEnergy = Self.runningEnergy(left)
        let rightEnergy = Self.runningEnergy(right)
        let floor = max(1, min(left.count, right.count) / 2)
        var best = (value: -2.0, lag: max(lags.lowerBound, min(lags.upperBound, 0)))
        let lowest = max(lags.lowerBound / Self.factor, 1 - left.count)
        let highest = min(lags.upperBound / Self.factor, right.count - 1)
        guard lowest <= highest else { return best.lag }
        for lag in lowest...highest {
            let first = max(0, -lag)
            let last = min(left.count, right.count - lag)
            guard last - first >= floor else { continue }
            let energy =
                (leftEnergy[last] - leftEnergy[first]) * (rightEnergy[last + lag] - rightEnergy[first + lag])
            guard energy > 1 else { continue }
            let value = products[(lag + products.count) % products.count] / energy.squareRoot()
            if value > best.value { best = (value, lag * Self.factor) }
        }
        return best.lag
    }

    private static func decimated(_ samples: [Int16]) -> [Double] {
        stride(from: 0, to: samples.count, by: factor).map { start in
            var sum = 0
            for index in start..<min(start + factor, samples.count) { sum += Int(samples[index]) }
            return Double(sum) / Double(factor)
        }
    }

    private static func runningEnergy(_ samples: [Double]) -> [Double] {
        var sums = [0.0]
        sums.reserveCapacity(samples.count + 1)
        var sum = 0.0
        for sample in samples {
            sum += sample * sample
            sums.append(sum)
        }
        return sums
    }
}
