// SPDX-License-Identifier: MIT

import Foundation

// Every benchmark, one line each; docs/performance.md says how to read the figures.
let runner = Runner(benchmarks: [
    CallMachineRate.benchmark
])
exit(await runner.run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
