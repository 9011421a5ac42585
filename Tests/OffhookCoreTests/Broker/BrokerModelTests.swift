// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWorld
import Testing

@Suite("Every order of events on the server, to a number of steps")
struct BrokerModelTests {
    @Test("R97, R99, R101: no order of four steps breaks an invariant", arguments: [ModelPlan.apart, .glare])
    func nothingIsBroken(plan: ModelPlan) {
        let result = ModelCheck(plan: plan, depth: 4).run()
        #expect(result.breach == nil, "\(result.breach?.description ?? "")")
        #expect(result.states > 5_000 && result.steps > result.states)
        #expect(!result.isComplete)
        print("broker model, \(result.plan): \(result.states) states, \(result.steps) steps, depth \(result.depth)")
    }

    @Test(
        "A planted mistake is found, by the invariant that it breaks",
        arguments: [
            (ModelMistake.restartsFromOldState, ModelInvariant.survivesRestart, ModelPlan.apart),
            (.forgetsToStore, .storedFirst, .apart), (.forgetsLosers, .everybodyIsTold, .apart),
            (.losesTicks, .endsInTime, .apart), (.takesRepeatsAsNew, .repeatsChangeNothing, .apart),
            (.tellsLosersTheyWon, .onlyWinnerIsTold, .apart), (.ignoresGlare, .oneCallRings, .glare),
            (.offersAfterTheEnd, .noLateOffers, .apart),
        ])
    func mistakeIsFound(mistake: ModelMistake, invariant: ModelInvariant, plan: ModelPlan) {
        var check = ModelCheck(plan: plan, depth: 4)
        check.mistake = mistake
        #expect(check.run().breach?.invariant == invariant)
    }

    @Test("A walk without restarts, repeats and sign-outs of one step ends, and is known to be complete or not")
    func bounds() {
        var check = ModelCheck(plan: .glare, depth: 1)
        check.restarts = 0
        check.removals = 0
        check.duplicates = 0
        let result = check.run()
        // Two invitations, two devices that come, two that leave, and nothing else can happen to calls that are not.
        #expect(result.steps == 6 && result.states == 7)
    }
}
