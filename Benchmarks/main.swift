// SPDX-License-Identifier: MIT

import Foundation

// The push benchmark starts this program once more, as its gateway.
if CommandLine.arguments.dropFirst().first == GatewayProcess.argument {
    try GatewayProcess.serve()
    exit(0)
}

// Every benchmark, one line each; docs/performance.md says how to read the figures.
let runner = Runner(benchmarks: [
    CallMachineRate.benchmark, PushBenchmark.benchmark, WebSocketEcho.benchmark,
])
exit(await runner.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
