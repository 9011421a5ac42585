// SPDX-License-Identifier: MIT

import OffhookTesting

/// Writes the report as one page that needs nothing else: no script, no font, no picture from elsewhere.
struct ReportPage {
    /// What to show.
    var report: DemoReport

    /// The page; well-formed as XML.
    func render() -> String {
        let verdict = Markup.escape(
            report.verdict ?? (report.passed ? "Everything verified" : "Not everything is as it should be"))
        var sections = [
            """
            <header>
            <p class="mark"><span class="markdot"></span>Offhook</p>
            <h1>\(Markup.escape(report.title))</h1>
            <p class="lead">\(Markup.escape(report.summary))</p>
            <p class="verdict \(report.passed ? "pass" : "fail")">\(symbol(report.passed))<span>\(verdict)</span></p>
            </header>
            """
        ]
        if !report.figures.isEmpty { sections.append(figures()) }
        if !report.screens.isEmpty { sections.append(screens()) }
        if !report.voices.isEmpty { sections.append(voices()) }
        sections.append(diagram())
        if !report.checks.isEmpty { sections.append(checks()) }
        return """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
            <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="color-scheme" content="light dark" />
            <title>\(Markup.escape(report.title)) – Offhook</title>
            <style>
            \(ReportStyle.sheet)
            </style>
            </head>
            <body>
            <main>
            \(sections.joined(separator: "\n"))
            <footer>Made by <code>offhook demo</code> from <a href="timeline.json">timeline.json</a>. Times are \
            milliseconds since the start; ids such as K3 name the phone's rules in docs/rules.md.</footer>
            </main>
            </body>
            </html>

            """
    }

    private func figures() -> String {
        let cells = report.figures.map { figure in
            "<div><dt>\(Markup.escape(figure.label))</dt><dd>\(Markup.escape(figure.value))</dd></div>"
        }
        return "<dl class=\"figures\">\n\(cells.joined(separator: "\n"))\n</dl>"
    }

    private func screens() -> String {
        let phones = report.screens.map { screen in
            """
            <figure class="shot">
            \(PhoneDrawing(screen: screen).render())
            <figcaption><b>\(Markup.escape(screen.owner))</b> \(Markup.escape(PhoneDrawing.caption(screen)))\
            <span>\(Display.decimal(screen.milliseconds, 0)) ms</span></figcaption>
            </figure>
            """
        }
        let row = "<div class=\"shots\">\n\(phones.joined(separator: "\n"))\n</div>"
        return section("On the screens", id: "screens", row)
    }

    private func voices() -> String {
        let cards = report.voices.map { voice in
            let numbers = [
                ("correlation", Display.decimal(voice.correlation, 3)),
                ("delay", "\(Display.decimal(voice.delayMilliseconds, 0)) ms"),
                ("level", "\(Display.decimal(voice.level, 1)) dBFS"),
            ]
            let list = numbers.map { "<span>\($0.0) <b>\(Markup.escape($0.1))</b></span>" }.joined()
            let link = voice.file.map { " <a href=\"\(Markup.escape($0))\">\(Markup.escape($0))</a>" } ?? ""
            return """
                <figure class="card">
                <figcaption><b>\(Markup.escape(voice.speaker)) speaks, \(Markup.escape(voice.listener)) listens</b>\
                <span class="numbers">\(list)\(link)</span></figcaption>
                \(WaveformDrawing(voice: voice).render())
                </figure>
                """
        }
        return section("What was said, what was heard", id: "voice", cards.joined(separator: "\n"))
    }

    private func diagram() -> String {
        section(
            "The call, step by step", id: "steps",
            "<div class=\"card scroll\">\n\(SVGDiagram(diagram: report.timeline.diagram).render())\n</div>")
    }

    private func checks() -> String {
        let rows = report.checks.map { check in
            """
            <tr class="\(check.passed ? "pass" : "fail")"><td>\(symbol(check.passed))\
            <span class="hidden">\(check.passed ? "yes" : "no")</span></td>\
            <th scope="row">\(Markup.escape(check.name))</th>\
            <td class="found">\(Markup.escape(check.value))</td>\
            <td class="asked">\(Markup.escape(check.expected))</td></tr>
            """
        }
        return section(
            "What was verified", id: "verified",
            """
            <table>
            <thead><tr><td></td><th scope="col">What</th><th scope="col">Found</th>\
            <th scope="col">Asked</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            """)
    }

    private func section(_ title: String, id: String, _ content: String) -> String {
        "<section id=\"\(id)\">\n<h2>\(Markup.escape(title))</h2>\n\(content)\n</section>"
    }

    private func symbol(_ passed: Bool) -> String {
        let mark = passed ? "M4.5 8.3l2.4 2.4 4.7-5.2" : "M5.2 5.2l5.6 5.6M10.8 5.2l-5.6 5.6"
        return "<svg class=\"symbol\" viewBox=\"0 0 16 16\" aria-hidden=\"true\" xmlns=\"http://www.w3.org/2000/svg\">"
            + "<circle cx=\"8\" cy=\"8\" r=\"7.5\" /><path d=\"\(mark)\" /></svg>"
    }
}
