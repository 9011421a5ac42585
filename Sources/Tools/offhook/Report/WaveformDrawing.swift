// SPDX-License-Identifier: MIT

import OffhookTesting

/// Draws what was said above what was heard, on one scale of time.
struct WaveformDrawing {
    /// What to draw.
    var voice: DemoReport.Voice

    private let width = 960.0
    private let trackHeight = 84.0
    private let label = 64.0

    /// The drawing as an `svg` element.
    func render() -> String {
        let height = trackHeight * 2 + 34
        let title = "\(voice.speaker) said, \(voice.listener) heard"
        var parts = [
            "<svg class=\"wave\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                + "viewBox=\"0 0 \(Markup.number(width)) \(Markup.number(height))\" "
                + "aria-label=\"\(Markup.escape(title))\">"
        ]
        parts += seconds(height: height)
        parts.append(track(voice.said, top: 0, style: "said"))
        parts.append(track(voice.heard, top: trackHeight + 8, style: "heard"))
        parts.append(Markup.text("said", x: 0, y: trackHeight / 2 + 4, class: "axis"))
        parts.append(Markup.text("heard", x: 0, y: trackHeight * 1.5 + 12, class: "axis"))
        parts.append("</svg>")
        return parts.joined(separator: "\n")
    }

    private func track(_ wave: Waveform, top: Double, style: String) -> String {
        let middle = top + trackHeight / 2
        let count = min(wave.low.count, wave.high.count)
        guard count > 0 else {
            return Markup.line(x1: label, y1: middle, x2: width, y2: middle, class: "silence")
        }
        // Loud speech fills the track: both tracks are drawn with the gain of the louder one.
        let peaks = [voice.said, voice.heard].flatMap { $0.high + $0.low.map { -$0 } }
        let gain = (trackHeight / 2 - 4) / max(peaks.max() ?? 0, 0.05)
        let step = (width - label) / Double(count)
        var path = ""
        for index in 0..<count {
            let x = Markup.number(label + (Double(index) + 0.5) * step)
            let upper = max(wave.high[index] * gain, 0.5)
            let lower = min(wave.low[index] * gain, -0.5)
            path += "M\(x) \(Markup.number(middle - upper))V\(Markup.number(middle - lower))"
        }
        return "<path class=\"\(style)\" d=\"\(path)\" />"
    }

    private func seconds(height: Double) -> [String] {
        guard voice.seconds > 0, voice.seconds.isFinite else { return [] }
        let every = voice.seconds <= 12 ? 1 : voice.seconds <= 40 ? 5 : 10
        return stride(from: 0, through: Int(voice.seconds), by: every).flatMap { second -> [String] in
            let x = label + (width - label) * Double(second) / voice.seconds
            return [
                Markup.line(x1: x, y1: 0, x2: x, y2: height - 20, class: "grid"),
                Markup.text("\(second) s", x: min(x, width - 12), y: height - 4, class: "axis", anchor: .middle),
            ]
        }
    }
}
