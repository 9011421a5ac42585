// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// A radix-2 fast Fourier transform, as much as a correlation needs.
enum FourierTransform {
    /// For each lag k the sum of `pattern[n] * signal[n + k]`; negative lags count from the end.
    static func crossCorrelation(of pattern: [Double], in signal: [Double]) -> [Double] {
        var size = 1
        while size < pattern.count + signal.count { size *= 2 }
        let padding = { (values: [Double]) in values + [Double](repeating: 0, count: size - values.count) }
        // Both real sequences in one complex transform: the pattern is the real part, the signal the imaginary one.
        var real = padding(pattern)
        var imaginary = padding(signal)
        transform(&real, &imaginary)
        var productReal = [Double](repeating: 0, count: size)
        var productImaginary = productReal
        for index in 0..<size {
            let mirror = (size - index) % size
            let patternReal = (real[index] + real[mirror]) / 2
            let patternImaginary = (imaginary[index] - imaginary[mirror]) / 2
            let signalReal = (imaginary[index] + imaginary[mirror]) / 2
            let signalImaginary = (real[mirror] - real[index]) / 2
            productReal[index] = patternReal * signalReal + patternImaginary * signalImaginary
            // The inverse transform is the transform of the conjugate, whose real part is what is wanted.
            productImaginary[index] = -(patternReal * signalImaginary - patternImaginary * signalReal)
        }
        transform(&productReal, &productImaginary)
        return productReal.map { $0 / Double(size) }
    }

    /// Transforms in place; the count is a power of two.
    private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        let size = real.count
        var reversed = 0
        for index in 1..<max(1, size) {
            var bit = size >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if index < reversed {
                real.swapAt(index, reversed)
                imaginary.swapAt(index, reversed)
            }
        }
        let cosines = (0..<max(1, size / 2)).map { cos(-2 * Double.pi * Double($0) / Double(size)) }
        let sines = (0..<max(1, size / 2)).map { sin(-2 * Double.pi * Double($0) / Double(size)) }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                var length = 2
                while length <= size {
                    let half = length / 2
                    let stride = size / length
                    var start = 0
                    while start < size {
                        var offset = 0
                        while offset < half {
                            let upper = start + offset
                            let lower = upper + half
                            let cosine = cosines[offset * stride]
                            let sine = sines[offset * stride]
                            let turnedReal = real[lower] * cosine - imaginary[lower] * sine
                            let turnedImaginary = real[lower] * sine + imaginary[lower] * cosine
                            real[lower] = real[upper] - turnedReal
                            imaginary[lower] = imaginary[upper] - turnedImaginary
                            real[upper] += turnedReal
                            imaginary[upper] += turnedImaginary
                            offset += 1
                        }
                        start += length
                    }
                    length *= 2
                }
            }
        }
    }
}
