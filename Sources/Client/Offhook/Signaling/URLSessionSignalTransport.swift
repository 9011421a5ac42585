// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    import Foundation
    import OffhookWire

    /// Carries signaling over URLSession's WebSocket, on Apple's systems.
    public final class URLSessionSignalTransport: SignalTransport {
        /// Makes a transport.
        public init() {}

        /// Opens a connection.
        public func connect(
            to url: String, headers: [(name: String, value: String)],
            events: @escaping @Sendable (SignalTransportEvent) -> Void
        ) -> any SignalConnection {
            let connection = URLSessionSignalConnection(events: events)
            connection.open(url, headers)
            return connection
        }
    }

    private final class URLSessionSignalConnection: NSObject, SignalConnection {
        private let events: @Sendable (SignalTransportEvent) -> Void
        private let queue = DispatchQueue(label: "offhook.signaling")
        private var session: URLSession?
        private var task: URLSessionWebSocketTask?
        private var isOver = false

        init(events: @escaping @Sendable (SignalTransportEvent) -> Void) {
            self.events = events
        }

        func open(_ text: String, _ headers: [(name: String, value: String)]) {
            queue.async { self.begin(text, headers) }
        }

        func send(_ text: String) {
            queue.async {
                self.task?.send(.string(text)) { [weak self] error in
                    guard let self, let error else { return }
                    self.queue.async { self.end(code: nil, reason: error.localizedDescription) }
                }
            }
        }

        func close() {
            queue.async {
                self.task?.cancel(with: .normalClosure, reason: nil)
                self.end(code: 1000, reason: "")
            }
        }

        private func begin(_ text: String, _ headers: [(name: String, value: String)]) {
            guard let url = URL(string: text), url.scheme == "wss" || url.scheme == "ws" else {
                return end(code: nil, reason: "The server URL looks like wss://host/path.")
            }
            var request = URLRequest(url: url)
            for header in headers { request.setValue(header.value, forHTTPHeaderField: header.name) }
            let operations = OperationQueue()
            operations.underlyingQueue = queue
            let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: operations)
            let task = session.webSocketTask(with: request)
            task.maximumMessageSize = WireCodec.maximumServerFrame
            self.session = session
            self.task = task
            task.resume()
        }

        private func receive() {
            task?.receive { [weak self] result in
                guard let self else { return }
                self.queue.async { self.take(result) }
            }
        }

        private func take(_ result: Result<URLSessionWebSocketTask.Message, any Error>) {
            guard !isOver else { return }
            switch result {
            case .success(.string(let text)):
                events(.received(text))
                receive()
            case .success:
                receive()  // binary frames are not of this protocol
            case .failure(let error):
                end(code: nil, reason: error.localizedDescription)
            }
        }

        private func end(code: Int?, reason: String) {
            guard !isOver else { return }
            isOver = true
            let status = (task?.response as? HTTPURLResponse)?.statusCode
            // A failed read may be told before the close frame that explains it.
            let told = task.map(\.closeCode.rawValue)
            let code = code ?? (told == URLSessionWebSocketTask.CloseCode.invalid.rawValue ? nil : told)
            task = nil
            session?.finishTasksAndInvalidate()
            session = nil
            events(.closed(code: code, status: status == 101 ? nil : status, reason: reason))
        }
    }

    // Bound to its own serial queue, which is the session's delegate queue too.
    extension URLSessionSignalConnection: @unchecked Sendable {}

    extension URLSessionSignalConnection: URLSessionWebSocketDelegate {
        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
        ) {
            guard !isOver else { return }
            events(.opened)
            receive()
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            end(code: closeCode.rawValue, reason: reason.map { String(decoding: $0, as: UTF8.self) } ?? "")
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            end(code: nil, reason: error?.localizedDescription ?? "")
        }
    }
#endif
