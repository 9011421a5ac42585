// SPDX-License-Identifier: MIT

import OffhookNet

/// The console's page: one file that asks nothing of the network but its own server.
enum ConsolePage {
    static let response = HTTPResponse(
        status: 200,
        headers: [
            "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
        ],
        body: Array(html.utf8))

    // What comes from senders goes into the page as text alone (textContent), never as markup.
    private static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>offhook apns</title>
        <style>
        :root { color-scheme: light dark; --line: #8885; --good: #1a7f37; --bad: #cf222e; --odd: #9a6700; }
        body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 75rem; padding: 1rem; }
        h1 { font-size: 1.3rem; margin: 0; }
        p, form { margin: .4rem 0; }
        form, #orders { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
        input, button { font: inherit; padding: .3rem .6rem; }
        input[type=text] { flex: 1 1 16rem; }
        table { border-collapse: collapse; width: 100%; margin-top: .8rem; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid var(--line); }
        td:first-child, td:nth-child(2) { white-space: nowrap; font-variant-numeric: tabular-nums; }
        pre { margin: .2rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85em; }
        .accepted, .delivered { color: var(--good); } .refused, .missed, .expired { color: var(--bad); }
        .faulted, .stored { color: var(--odd); }
        .quiet { opacity: .75; overflow-wrap: anywhere; }
        </style>
        <h1>offhook apns</h1>
        <p id="about" class="quiet"></p>
        <form id="fault">
        <label for="order">Next request</label>
        <input type="text" id="order" placeholder="503, 429*3, goaway, reset, delay:2s, silence, close …" required>
        <button>Order fault</button>
        </form>
        <div id="orders">
        <button data-method="DELETE" data-path="faults">Forget faults</button>
        <button data-method="PUT" data-path="streams" data-body="1">One stream</button>
        <button data-method="PUT" data-path="streams" data-body="normal">Streams as usual</button>
        <button data-method="POST" data-path="goaway" data-body="Shutdown">GOAWAY to all</button>
        <button data-method="POST" data-path="disconnect">Cut all</button>
        <button data-method="PUT" data-path="clock" data-body="+2h">Clock 2 h ahead</button>
        <button data-method="PUT" data-path="clock" data-body="0s">Clock right</button>
        <label><input type="checkbox" id="all"> connections and requests too</label>
        </div>
        <p id="said" class="quiet" role="status">Waiting for the first push.</p>
        <table>
        <thead><tr><th>Time</th><th>Event</th><th>What</th></tr></thead>
        <tbody id="log"></tbody>
        </table>
        <script>
        "use strict";
        const byId = id => document.getElementById(id);
        const said = text => { byId("said").textContent = text; };
        const quiet = new Set(["connected", "disconnected", "requested"]);
        async function order(method, path, body) {
          const response = await fetch("/" + path, { method, body });
          const text = await response.text();
          said(response.ok ? method + " /" + path + (body ? " " + body : "") + ": done" : text);
        }
        byId("fault").addEventListener("submit", event => {
          event.preventDefault();
          order("POST", "faults", byId("order").value).catch(error => said(String(error)));
        });
        byId("orders").addEventListener("click", event => {
          const data = event.target.dataset;
          if (data.method) order(data.method, data.path, data.body).catch(error => said(String(error)));
        });
        byId("all").addEventListener("change", event => {
          for (const row of byId("log").children) row.hidden = quiet.has(row.dataset.kind) && !event.target.checked;
        });
        function cell(row, text, name) {
          const cell = row.insertCell();
          cell.textContent = text;
          if (name) cell.className = name;
          return cell;
        }
        function detail(cell, text) {
          const block = document.createElement("pre");
          block.textContent = text;
          cell.append(block);
        }
        function show(entry) {
          const row = byId("log").insertRow(0);
          row.dataset.kind = entry.kind;
          row.hidden = quiet.has(entry.kind) && !byId("all").checked;
          cell(row, new Date(entry.time).toISOString().slice(11, 23));
          cell(row, entry.kind, entry.kind);
          const what = cell(row, entry.text);
          if (entry.push && entry.kind !== "delivered") {
            const push = entry.push;
            detail(what, "token " + push.token + "\\ntopic " + push.topic + "  priority " + push.priority
              + "  expiration " + (push.expiration === undefined ? "absent" : push.expiration)
              + (push.collapseID ? "  collapse id " + push.collapseID : "") + "\\n" + push.payload);
          }
          while (byId("log").children.length > 500) byId("log").lastChild.remove();
        }
        async function follow() {
          let after = 0;
          for (;;) {
            try {
              const page = await (await fetch("/log?wait=25&after=" + after)).json();
              if (after === 0 && page.events.length) said("");
              page.events.forEach(show);
              after = page.next;
            } catch (error) {
              said("The gateway does not answer; trying again.");
              await new Promise(resolve => setTimeout(resolve, 2000));
            }
          }
        }
        fetch("/about").then(response => response.json()).then(about => {
          byId("about").textContent = about.environment + " gateway on https://" + about.host + ":" + about.port
            + " · keys " + Object.keys(about.keys).join(", ") + " · apps " + Object.keys(about.bundles).join(", ")
            + (about.certificateFile ? " · trust " + about.certificateFile : "");
        });
        follow();
        </script>
        </html>

        """
}
