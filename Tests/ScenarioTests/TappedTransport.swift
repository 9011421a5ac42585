// SPDX-License-Identifier: MIT

import Offhook

/// A transport with somebody in the line, who may change what arrives.
final class TappedTransport: SignalTransport {
    private let transport: any SignalTransport
    private let tap: @Sendable (String) -> String

    init(transport: any SignalTransport, tap: @escaping @Sendable (String) -> String) {
        self.transport = transport
        self.tap = tap
    }

    func connect(
        to url: String, headers: [(name: String, value: String)],
        events: @escaping @Sendable (SignalTransportEvent) -> Void
    ) -> any SignalConnection {
        transport.connect(to: url, headers: headers) { [tap] event in
            switch event {
            case .received(let text): events(.received(tap(text)))
            case .opened, .closed: events(event)
            }
        }
    }
}
