// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting
import VirtualPhone

extension VirtualPhone {
    /// The ends of processes that a rule asked for: not those by the user.
    var punishments: [CauseOfDeath] { deaths.filter { $0.rule != nil } }
    /// The rules that were broken.
    var brokenRules: [String] { violations.map(\.rule) }

    /// Lets a call ring and be answered.
    func answerAndTalk() async throws {
        try user.answer()
        await advance(by: .seconds(1))
    }
}
