// SPDX-License-Identifier: MIT

import Foundation

// The other process of the push benchmark.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == [GatewayProcess.argument] {
    try GatewayProcess.serve()
    exit(0)
}

// The extensions of directory.memory.
if arguments.first == DirectoryProcess.argument { await DirectoryProcess.serve(arguments) }

// Every benchmark, one line each; docs/performance.md says how to read the figures.
let runner = Runner(benchmarks: [
    CallMachineRate.benchmark,
    WireBenchmark.benchmark,
    RingBenchmark.benchmark,
    PhoneCallsBenchmark.benchmark,
    CoreCallsBenchmark.benchmark,
    PushBenchmark.benchmark,
    WebSocketEcho.benchmark,
    CallCost.benchmark,
    DirectoryBenchmark.benchmark,
    DirectoryBenchmark.memory,
])
exit(await runner.run(arguments, environment: ProcessInfo.processInfo.environment))
