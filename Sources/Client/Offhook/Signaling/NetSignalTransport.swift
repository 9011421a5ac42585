// SPDX-License-Identifier: MIT

#if canImport(OffhookNet)
    public import OffhookNet
    import OffhookWire

    /// Carries signaling over OffhookNet's WebSocket, where there is no URLSession to do it.
    public final class NetSignalTransport: SignalTransport {
        private let loop: EventLoop
        private let tls: TLSContext?

        /// Makes a transport on a loop, which is not stopped with it.
        ///
        /// - Parameters:
        ///   - loop: Runs the connections; any number of transports may share it.
        ///   - tls: Whom to trust for `wss://`; nil is the system's roots.
        public init(loop: EventLoop, tls: TLSContext? = nil) {
            self.loop = loop
            self.tls = tls
        }

        /// Opens a connection.
        public func connect(
            to url: String, headers: [(name: String, value: String)],
            events: @escaping @Sendable (SignalTransportEvent) -> Void
        ) -> any SignalConnection {
            var fields = HTTPHeaders()
            for header in headers where NetSignalTransport.isVisible(header.name + header.value) {
                fields.append(header.name, header.value)
            }
            let handlers = WebSocketHandlers(
                opened: { _ in events(.opened) },
                text: { _, text in events(.received(text)) },
                closed: { _, end in
                    events(.closed(code: end.code, status: end.status, reason: end.error?.message ?? end.reason))
                })
            var limits = WebSocketLimits()
            limits.messageBytes = WireCodec.maximumServerFrame
            limits.frameBytes = WireCodec.maximumServerFrame
            return NetSignalConnection(
                WebSocketClient.connect(
                    to: url, on: loop, headers: fields, tls: tls, limits: limits, handlers: handlers))
        }

        /// Whether a text holds nothing but visible ASCII and spaces: what HTTP allows in a field.
        private static func isVisible(_ text: String) -> Bool {
            text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        }
    }

    private final class NetSignalConnection: SignalConnection {
        private let socket: WebSocket

        init(_ socket: WebSocket) {
            self.socket = socket
        }

        func send(_ text: String) {
            socket.send(text: text)
        }

        func close() {
            socket.close()
        }
    }
#endif
