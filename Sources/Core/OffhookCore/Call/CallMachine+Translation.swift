// SPDX-License-Identifier: MIT

extension CallMachine {
    /// Starts or ends the translation; audio's own life does not change by it (R118, R122).
    mutating func performTranslation(_ action: ActionID, _ translation: Translation?) -> [Effect] {
        switch state {
        case .active, .held:
            guard policy.canTranslate else { return [.fail(action)] }
            guard translation != self.translation else { return [.fulfil(action)] }
            self.translation = translation
            return [.setTranslation(id, translation), .fulfil(action)]
        case .incoming, .outgoing, .connecting, .ended:
            return [.fail(action)]  // G8: only once it is connected
        }
    }
}
