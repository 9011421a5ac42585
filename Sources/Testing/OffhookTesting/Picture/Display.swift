// SPDX-License-Identifier: MIT

/// Numbers as people read them.
package enum Display {
    /// A number with a fixed count of decimals.
    package static func decimal(_ value: Double, _ places: Int) -> String {
        guard value.isFinite else { return "–" }
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let scaled = (abs(value) * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return places == 0 ? sign + padded : sign + padded.dropLast(places) + "." + padded.suffix(places)
    }

    /// A time of the diagram: milliseconds with one decimal below ten seconds.
    package static func milliseconds(_ time: Duration) -> String {
        decimal(time.inMilliseconds, 1)
    }
}

extension Duration {
    /// The duration in milliseconds, with fraction; for display.
    package var inMilliseconds: Double {
        Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
    }
}
