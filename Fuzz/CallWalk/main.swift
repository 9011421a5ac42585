// SPDX-License-Identifier: MIT

import Glibc
import OffhookWorld

let arguments: WalkArguments
switch WalkArguments.read(CommandLine.arguments.dropFirst()) {
case .run(let read): arguments = read
case .help:
    print(WalkArguments.help)
    exit(0)
case .mistake(let message):
    print("call-walk: \(message)\n\n\(WalkArguments.help)")
    exit(2)
}
let run = WalkRun(arguments)
exit(await run.walk() ? 0 : 1)
