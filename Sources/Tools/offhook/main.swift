// SPDX-License-Identifier: MIT

import Foundation

let status = await OffhookTool(terminal: .standard).run(Array(CommandLine.arguments.dropFirst()))
exit(status.rawValue)
