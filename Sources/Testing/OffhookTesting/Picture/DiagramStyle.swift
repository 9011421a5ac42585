// SPDX-License-Identifier: MIT

/// Style sheets of pages with diagrams: light and dark, one accent, the system's fonts.
package enum DiagramStyle {
    /// Colours and ground of a page; holds no character that markup gives a meaning.
    package static let page = """
        :root {
          --paper: #f6f5f2; --card: #ffffff; --ink: #1c1d1f; --soft: #6a6c70; --line: #e3e1db; --band: #f4f3ef;
          --accent: #0b7a6f; --wash: #e2f1ee; --bad: #c22f2f; --badwash: #fbe7e5; --quiet: #b9b7b0;
          --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #121314; --card: #1a1b1d; --ink: #ececea; --soft: #96989c; --line: #2b2d30; --band: #202224;
            --accent: #4ec3b3; --wash: #16332f; --bad: #ff7a70; --badwash: #3a1d1b; --quiet: #55575b;
          }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Inter", sans-serif; -webkit-font-smoothing: antialiased; }
        main { max-width: 1240px; margin: 0 auto; padding: 56px 28px 40px; }
        """

    /// The classes of ``SVGDiagram``.
    package static let diagram = """
        .scroll { overflow-x: auto; padding: 22px 14px 14px; }
        .diagram { width: 100%; min-width: 900px; height: auto; display: block; }
        .diagram text { font-family: system-ui, -apple-system, "Segoe UI", "Inter", sans-serif; font-size: 12.5px;
          fill: var(--ink); }
        .diagram .band { fill: var(--band); }
        .diagram .life { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 1 4; stroke-linecap: round; }
        .diagram .lifehead { fill: var(--quiet); }
        .diagram .actor { font-weight: 600; font-size: 13.5px; }
        .diagram .time { font-family: var(--mono); font-size: 11.5px; fill: var(--soft); }
        .diagram .pill { fill: var(--wash); } .diagram .rule { font-size: 10.5px; font-weight: 650; fill: var(--accent); }
        .diagram .say { paint-order: stroke; stroke: var(--band); stroke-width: 5px; stroke-linejoin: round; }
        .diagram .say.milestone, .diagram .say.voice { font-weight: 600; }
        .diagram .arrow { stroke: var(--ink); stroke-width: 1.25; }
        .diagram .head { fill: var(--ink); } .diagram .dot { fill: var(--ink); }
        .diagram .arrow.voice { stroke: var(--accent); stroke-width: 3; } .diagram .head.voice { fill: var(--accent); }
        .diagram .dot.voice, .diagram .dot.milestone { fill: var(--accent); }
        .diagram .pause { stroke: var(--quiet); stroke-width: 1; stroke-dasharray: 2 5; }
        .diagram .say.violation { fill: var(--bad); font-weight: 600; } .diagram .dot.violation { fill: var(--bad); }
        .diagram .arrow.violation { stroke: var(--bad); stroke-width: 2; } .diagram .head.violation { fill: var(--bad); }
        .diagram .pill.violation { fill: var(--bad); } .diagram .rule.violation { fill: var(--card); }
        """
}
