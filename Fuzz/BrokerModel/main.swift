// SPDX-License-Identifier: MIT

import Glibc
import OffhookWorld

let help = """
    broker-model: looks at every order in which things can happen to the calls of a server, to a number of steps.

        broker-model [--depth N] [--mistake NAME]

      --depth N        the most steps from the beginning; 7 unless given
      --mistake NAME   plants a mistake, which must be found: \(ModelMistake.allCases.map(\.rawValue).joined(separator: ", "))

    Exit code: 0 nothing was broken, 1 an invariant was broken, 2 wrong arguments.
    """
var depth = 7
var mistake: ModelMistake?
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
    let value = word == "--help" || word == "-h" ? "" : words.popFirst() ?? ""
    switch word {
    case "--help", "-h":
        print(help)
        exit(0)
    case "--depth" where (Int(value) ?? 0) > 0: depth = Int(value) ?? depth
    case "--mistake" where ModelMistake(rawValue: value) != nil: mistake = ModelMistake(rawValue: value)
    default:
        print("broker-model: \(word) \(value) is not understood\n\n\(help)")
        exit(2)
    }
}
var isBroken = false
for plan in [ModelPlan.apart, .glare] {
    var check = ModelCheck(plan: plan, depth: depth)
    check.mistake = mistake
    let result = check.run()
    print(
        "\(result.plan): \(result.states) states, \(result.steps) steps judged by \(ModelInvariant.allCases.count) "
            + "invariants, to \(result.depth) steps from the beginning")
    if let breach = result.breach {
        print("broken: \(breach)")
        isBroken = true
    }
}
print(isBroken ? "an invariant was broken" : "no invariant was broken")
exit(isBroken ? 1 : 0)
