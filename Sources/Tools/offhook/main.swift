// SPDX-License-Identifier: MIT

import Foundation

let status = await OffhookTool(terminal: .standard).run(Array(CommandLine.arguments.dropFirst()))
// Not exit(): its handlers free OpenSSL's locks, and threads of the voice engine, which warms up beside the rest, may be
// inside OpenSSL.
fflush(nil)
_exit(status.rawValue)
