# SPDX-License-Identifier: MIT
"""An HTTP/1.1 server of another implementation (http.server), for the differential tests of the client role.

    http_server.py VERSION [PEM]    VERSION is HTTP/1.0 or HTTP/1.1; PEM holds a certificate and its key, for https

Prints its port on the first line. The path says what it does:
/echo            gives method, target, fields and the body's SHA-256 as JSON, with Content-Length
/chunked/N       gives N bytes in chunks of 1 to 1000 bytes, with extensions and trailers
/end/N           gives N bytes up to the connection's end
/status/CODE     gives a status without body
/interim         gives 102 and 103 first
/drop            closes the connection without an answer
Ends when its standard input does.
"""
import hashlib
import http.server
import json
import ssl
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = sys.argv[1]

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        path = self.path.split("?")[0]
        last = path.rsplit("/", 1)[1]
        number = int(last) if last.isdigit() else 0
        data = bytes(index % 251 for index in range(number))
        if path == "/drop":
            self.close_connection = True
            return
        if path == "/interim":
            for code in (102, 103):
                self.send_response_only(code)
                self.end_headers()
        if path.startswith("/chunked/"):
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.chunks(data)
        elif path.startswith("/end/"):
            self.close_connection = True
            self.send_response(200)
            self.end_headers()
            self.wfile.write(data)
        elif path.startswith("/status/"):
            self.send_response(number)
            if number not in (204, 304):
                self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            told = {
                "method": self.command, "target": self.path, "fields": [list(field) for field in self.headers.items()],
                "digest": hashlib.sha256(body).hexdigest(), "port": self.client_address[1],
            }
            text = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(text)

    def chunks(self, data):
        size = 1
        while data:
            piece, data = data[:size], data[size:]
            self.wfile.write(b"%X;name=\"value\"\r\n%b\r\n" % (len(piece), piece))
            size = size * 3 % 1000 + 1
        self.wfile.write(b"0\r\nX-Trailer: yes\r\n\r\n")

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = answer

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    def shutdown_request(self, request):
        """Ends TLS as it should be, with close_notify, which http.server leaves out."""
        if isinstance(request, ssl.SSLSocket):
            try:
                request.settimeout(5)
                request = request.unwrap()
            except OSError:
                pass
        super().shutdown_request(request)

    def handle_error(self, request, client_address):
        """A client that does not want the rest of an answer is no error."""


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
