// SPDX-License-Identifier: MIT

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
// The other side of `directory load`; no command that anybody types.
if let loader = DirectoryExtension(arguments) { await loader.serve() }
let status = await OffhookTool(terminal: .standard).run(arguments)
// Not exit(): its handlers free OpenSSL's locks, and threads of the voice engine, which warms up beside the rest, may be
// inside OpenSSL.
fflush(nil)
_exit(status.rawValue)
