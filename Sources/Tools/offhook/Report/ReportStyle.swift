// SPDX-License-Identifier: MIT

import OffhookTesting

/// The report's style sheet: light and dark, one accent, the system's fonts.
enum ReportStyle {
    /// The sheet; holds no character that markup gives a meaning.
    static let sheet =
        DiagramStyle.page + """

            .mark { display: flex; align-items: center; gap: 8px; margin: 0 0 28px; font-weight: 600; font-size: 15px; }
            .markdot { width: 12px; height: 12px; border-radius: 50%; background: var(--accent); }
            h1 { font-size: clamp(32px, 5vw, 52px); line-height: 1.05; letter-spacing: -0.025em; margin: 0 0 14px;
              font-weight: 650; text-wrap: balance; }
            .lead { font-size: 19px; color: var(--soft); max-width: 62ch; margin: 0 0 22px; text-wrap: pretty; }
            .verdict { display: inline-flex; align-items: center; gap: 8px; margin: 0; padding: 6px 14px 6px 9px;
              border-radius: 99px; font-weight: 600; font-size: 15px; }
            .verdict.pass { color: var(--accent); background: var(--wash); }
            .verdict.fail { color: var(--bad); background: var(--badwash); }
            .symbol { width: 16px; height: 16px; flex: none; vertical-align: -2.5px; }
            .symbol circle { fill: var(--accent); }
            .symbol path { fill: none; stroke: var(--card); stroke-width: 1.8; stroke-linecap: round;
              stroke-linejoin: round; }
            .fail .symbol circle { fill: var(--bad); }
            .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); margin: 44px 0 0;
              border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
            .figures div { display: flex; flex-direction: column-reverse; padding: 18px 20px 16px 0; }
            .figures dd { margin: 0; font-size: 30px; font-weight: 600; letter-spacing: -0.02em; line-height: 1.15;
              font-variant-numeric: tabular-nums; }
            .figures dt { color: var(--soft); font-size: 14px; }
            section { margin-top: 60px; }
            h2 { font-size: 22px; letter-spacing: -0.015em; font-weight: 620; margin: 0 0 18px; }
            figure { margin: 0; }
            a { color: var(--accent); }
            .card { background: var(--card); border: 1px solid var(--line); border-radius: 16px; padding: 20px 22px; }
            .card + .card { margin-top: 14px; }
            .shots { display: grid; grid-template-columns: repeat(auto-fill, minmax(166px, 1fr)); gap: 26px 20px; }
            .shot { text-align: center; }
            .shot figcaption, .card figcaption { font-size: 14px; color: var(--soft); }
            .shot figcaption { margin-top: 12px; }
            .shot figcaption b { color: var(--ink); font-weight: 600; }
            .shot figcaption span { display: block; font: 12px var(--mono); margin-top: 2px; }
            .card figcaption { display: flex; flex-wrap: wrap; gap: 4px 22px; justify-content: space-between;
              margin-bottom: 12px; }
            .card figcaption b { color: var(--ink); font-weight: 600; }
            .numbers { display: flex; flex-wrap: wrap; gap: 2px 18px; font-variant-numeric: tabular-nums; }
            .phone { width: 100%; max-width: 190px; height: auto; }
            .phone text { fill: #ffffff; font-family: system-ui, -apple-system, "Segoe UI", "Inter", sans-serif; }
            .phone .case { fill: #0a0a0b; stroke: #3b3d41; stroke-width: 1.5; }
            .phone .dusk { fill: #29485a; } .phone .night { fill: #23272c; } .phone .dead { fill: #2b2628; }
            .phone .status { font-size: 11px; font-weight: 600; }
            .phone .island { fill: #000000; } .phone .homebar { fill: #ffffff; opacity: 0.85; }
            .phone .battery { fill: none; stroke: #ffffff; stroke-width: 1.3; opacity: 0.9; }
            .phone .name { font-size: 23px; font-weight: 500; } .phone .detail { font-size: 12px; opacity: 0.78; }
            .phone .halo { fill: #ffffff; opacity: 0.08; } .phone .avatar { fill: #ffffff; opacity: 0.16; }
            .phone .initial { font-size: 30px; font-weight: 500; }
            .phone .slider { fill: #ffffff; opacity: 0.2; } .phone .knob { fill: #ffffff; }
            .phone .slidetext { font-size: 12px; opacity: 0.92; } .phone .answer { fill: #1f9d55; }
            .phone .button { fill: #ffffff; opacity: 0.17; } .phone .button.on { opacity: 1; }
            .phone .glyph { fill: #ffffff; } .phone .glyph.on { fill: #17191c; }
            .phone .buttonname { font-size: 9.5px; opacity: 0.82; } .phone .end { fill: #e5382c; }
            .phone .bigclock { font-size: 54px; font-weight: 500; letter-spacing: -0.03em; }
            .phone .notice { fill: #ffffff; opacity: 0.2; } .phone .noticetitle { font-size: 12px; font-weight: 600; }
            .phone .noticetext { font-size: 10.5px; opacity: 0.82; } .phone .cause { font-size: 9px; opacity: 0.82; }
            .phone .cross { fill: #e5382c; } .phone .crossmark { stroke: #ffffff; stroke-width: 3.2; stroke-linecap: round; }
            .wave { width: 100%; height: auto; display: block; }
            .wave path { fill: none; stroke-width: 1.15; stroke-linecap: round; }
            .wave .said { stroke: var(--quiet); } .wave .heard { stroke: var(--accent); }
            .wave .grid { stroke: var(--line); stroke-width: 1; } .wave .silence { stroke: var(--quiet); }
            .wave .axis { fill: var(--soft); font-size: 12px; }
            table { width: 100%; border-collapse: collapse; font-size: 15px; }
            td, th { text-align: left; padding: 11px 14px 11px 0; border-bottom: 1px solid var(--line);
              vertical-align: top; font-weight: 400; }
            thead th { color: var(--soft); font-size: 13px; padding-top: 0; }
            td:first-child { width: 30px; }
            .found { font-variant-numeric: tabular-nums; font-weight: 600; } .asked { color: var(--soft); }
            tr.fail th, tr.fail .found { color: var(--bad); }
            .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
            footer { margin-top: 56px; color: var(--soft); font-size: 13.5px; }
            code { font-family: var(--mono); font-size: 0.92em; }
            @media print { .card { break-inside: avoid; } }

            """ + DiagramStyle.diagram
}
