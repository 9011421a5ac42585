// SPDX-License-Identifier: MIT

import OffhookTesting

/// Draws a phone whose screen shows a moment of the call.
struct PhoneDrawing {
    /// What to show.
    var screen: DemoReport.Screen

    private let width = 200.0
    private let height = 412.0

    /// The drawing as an `svg` element.
    func render() -> String {
        let label = "\(screen.owner)'s phone: \(Self.caption(screen))"
        let parts =
            [
                "<svg class=\"phone\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                    + "viewBox=\"0 0 \(Markup.number(width)) \(Markup.number(height))\" "
                    + "aria-label=\"\(Markup.escape(label))\">",
                Markup.rectangle(x: 1, y: 1, width: width - 2, height: height - 2, radius: 34, class: "case"),
                Markup.rectangle(
                    x: 7, y: 7, width: width - 14, height: height - 14, radius: 28, class: "glass \(tone)"),
            ] + statusBar() + content() + [
                Markup.rectangle(x: 68, y: 393, width: 64, height: 3.5, radius: 1.75, class: "homebar"), "</svg>",
            ]
        return parts.joined(separator: "\n")
    }

    /// What a screen shows, in words.
    static func caption(_ screen: DemoReport.Screen) -> String {
        switch screen.content {
        case .ringing: "rings, locked"
        case .calling: "calls"
        case .inCall: screen.held ? "on hold" : screen.muted ? "in the call, muted" : "in the call"
        case .locked: "locked again"
        case .killed: "the app was killed"
        }
    }

    private var tone: String {
        switch screen.content {
        case .ringing, .locked: "dusk"
        case .calling, .inCall: "night"
        case .killed: "dead"
        }
    }

    private var middle: Double { width / 2 }

    private func statusBar() -> [String] {
        let battery =
            "M164 19.5h14a3 3 0 0 1 3 3v3a3 3 0 0 1-3 3h-14a3 3 0 0 1-3-3v-3a3 3 0 0 1 3-3Zm19 3.2v2.6"
        return [
            Markup.text("9:41", x: 36, y: 28, class: "status", anchor: .middle),
            Markup.rectangle(x: 70, y: 15, width: 60, height: 18, radius: 9, class: "island"),
            "<path class=\"battery\" d=\"\(battery)\" />",
        ]
    }

    private func content() -> [String] {
        switch screen.content {
        case .ringing: ringing()
        case .calling: person(y: 96) + buttons(active: []) + end()
        case .inCall:
            person(y: 96)
                + buttons(active: (screen.muted ? [0] : []) + (screen.held ? [4] : [])) + end()
        case .locked: clock() + notice()
        case .killed: killed()
        }
    }

    private func person(y: Double) -> [String] {
        [
            Markup.text(Self.short(screen.name, 16), x: middle, y: y, class: "name", anchor: .middle),
            Markup.text(Self.short(screen.detail, 26), x: middle, y: y + 21, class: "detail", anchor: .middle),
        ]
    }

    private func ringing() -> [String] {
        let initial = String(screen.name.prefix(1)).uppercased()
        return person(y: 92) + [
            Markup.circle(x: middle, y: 196, radius: 44, class: "halo"),
            Markup.circle(x: middle, y: 196, radius: 34, class: "avatar"),
            Markup.text(initial, x: middle, y: 207, class: "initial", anchor: .middle),
            Markup.rectangle(x: 24, y: 326, width: 152, height: 48, radius: 24, class: "slider"),
            Markup.circle(x: 48, y: 350, radius: 20, class: "knob"),
            icon(.phone, x: 48, y: 350, class: "answer"),
            Markup.text("slide to answer", x: 121, y: 354, class: "slidetext", anchor: .middle),
        ]
    }

    private func buttons(active: [Int]) -> [String] {
        let icons: [(Icon, String)] = [
            (.microphone, "mute"), (.keypad, "keypad"), (.speaker, "audio"), (.plus, "add"), (.pause, "hold"),
            (.people, "contacts"),
        ]
        return icons.enumerated().flatMap { index, button -> [String] in
            let x = 47 + Double(index % 3) * 53
            let y = 190 + Double(index / 3) * 64
            let isOn = active.contains(index)
            return [
                Markup.circle(x: x, y: y, radius: 20, class: isOn ? "button on" : "button"),
                icon(button.0, x: x, y: y, class: isOn ? "glyph on" : "glyph"),
                Markup.text(button.1, x: x, y: y + 32, class: "buttonname", anchor: .middle),
            ]
        }
    }

    private func end() -> [String] {
        [
            Markup.circle(x: middle, y: 345, radius: 23, class: "end"),
            "<g transform=\"rotate(135 100 345)\">\(icon(.phone, x: middle, y: 345, class: "glyph"))</g>",
        ]
    }

    private func clock() -> [String] {
        [
            Markup.text("Monday, 9 June", x: middle, y: 78, class: "detail", anchor: .middle),
            Markup.text("9:41", x: middle, y: 128, class: "bigclock", anchor: .middle),
        ]
    }

    private func notice() -> [String] {
        [
            Markup.rectangle(x: 18, y: 296, width: 164, height: 46, radius: 14, class: "notice"),
            Markup.text(Self.short(screen.name, 20), x: 32, y: 315, class: "noticetitle"),
            Markup.text(Self.short(screen.detail, 26), x: 32, y: 331, class: "noticetext"),
        ]
    }

    private func killed() -> [String] {
        clock() + [
            Markup.circle(x: middle, y: 214, radius: 26, class: "cross"),
            "<path class=\"crossmark\" d=\"M91 205L109 223M109 205L91 223\" />",
            Markup.text(Self.short(screen.name, 22), x: middle, y: 268, class: "noticetitle", anchor: .middle),
            Markup.text(Self.short(screen.detail, 34), x: middle, y: 285, class: "cause", anchor: .middle),
        ]
    }

    private static func short(_ text: String, _ count: Int) -> String {
        text.count <= count ? text : text.prefix(count - 1) + "…"
    }

    private enum Icon { case phone, microphone, keypad, speaker, plus, pause, people }

    private func icon(_ icon: Icon, x: Double, y: Double, class style: String) -> String {
        let path =
            switch icon {
            case .phone:
                "M-7-8.5l3.4-.9 2.6 5.3-2.3 2a12 12 0 0 0 5.6 5.6l2-2.3 5.3 2.6-.9 3.4c-.3 1-1.2 1.6-2.2 1.5"
                    + "C-.8 8-8 .8-8.5-6.3c-.1-1 .5-1.9 1.5-2.2Z"
            case .microphone:
                "M0-9a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0v-5a3 3 0 0 1 3-3ZM-6-2h1.5a4.5 4.5 0 0 0 9 0H6"
                    + "a6 6 0 0 1-5.25 5.95V8h-1.5V3.95A6 6 0 0 1-6-2Z"
            case .keypad:
                [-5.5, 0, 5.5].flatMap { row in
                    [-5.5, 0, 5.5].map { column in
                        "M\(Markup.number(column - 1.6)) \(Markup.number(row))a1.6 1.6 0 1 0 3.2 0"
                            + "a1.6 1.6 0 1 0-3.2 0Z"
                    }
                }.joined()
            case .speaker:
                "M-7-2.5h3L0-6.5v13l-4-4h-3ZM3-4.5l1-1a7 7 0 0 1 0 11l-1-1a5.5 5.5 0 0 0 0-9Z"
            case .plus: "M-1-7h2v6h6v2h-6v6h-2v-6h-6v-2h6Z"
            case .pause: "M-5-6.5h3.5v13H-5ZM1.5-6.5H5v13H1.5Z"
            case .people: "M0-7a3.4 3.4 0 1 1 0 6.8A3.4 3.4 0 0 1 0-7ZM-6.5 7a6.5 6 0 0 1 13 0Z"
            }
        let place = "translate(\(Markup.number(x)) \(Markup.number(y)))"
        return "<path class=\"\(style)\" transform=\"\(place)\" d=\"\(path)\" />"
    }
}
