// SPDX-License-Identifier: MIT

import Foundation

// K3-K6, K9, R57: what the phone checks of every push.
extension PhoneCore {
    /// Any report of the app since delivery answers for its pushes, a failed one too (K6).
    mutating func markReported(_ bundle: String, failed: Bool) {
        guard !failed || settings.failedReportCounts else { return }
        for index in pushes.indices where pushes[index].bundle == bundle { pushes[index].wasReported = true }
    }

    /// K3, check 1: on return of the delegate method.
    mutating func pushHandlerReturned(_ id: UUID) {
        guard let index = pushes.firstIndex(where: { $0.id == id }), !pushes[index].hasReturned else { return }
        pushes[index].hasReturned = true
        let push = pushes[index]
        log(.app, "push callback returned", rule: "K3", app: push.bundle)
        guard push.mustReport else {
            log(.phone, "check 1 skipped: no report needed", rule: "K7", app: push.bundle)
            return
        }
        guard !push.wasReported else {
            log(.phone, "check 1 passed", rule: "K3", app: push.bundle)
            return
        }
        let message =
            "Killing app because it never posted an incoming call to the system after receiving a PushKit VoIP push."
        let advice =
            "Call reportNewIncomingCall inside the push callback, before it returns: not from a Task, an async block "
            + "or a completion handler that runs later. Report a call that must not ring too, and end it at once."
        fail(
            push, rule: "K3", code: "NSInternalInconsistencyException", message: "\(message) \(advice)",
            what: "the push callback returned without a report", advice: advice)
    }

    /// K4, check 2: some seconds after delivery, whoever had the push.
    mutating func checkTwo(_ id: UUID) {
        guard let index = pushes.firstIndex(where: { $0.id == id }) else { return }
        pushes[index].secondCheck = nil
        let push = pushes[index]
        guard push.mustReport, !push.wasReported else {
            log(.phone, "check 2 passed", rule: "K4", app: push.bundle)
            forgetPush(id)
            return
        }
        let cause: String
        let advice: String
        if push.registry == nil {
            cause = "no push registry with a delegate took the push"
            advice =
                "Create the PKPushRegistry in didFinishLaunching, keep it, set its delegate, then desiredPushTypes; "
                + "every launch, in the background too."
        } else if !push.wasHandled {
            cause = "the registry has no delegate, or its delegate no method that takes a VoIP push"
            advice =
                "Keep the registry and its delegate alive, and implement pushRegistry(_:didReceiveIncomingPushWith:for:completion:)."
        } else {
            cause = "the push callback has not reported a call"
            advice = "Do not block the registry's queue: report first, inside the callback, and work afterwards."
        }
        fail(
            push, rule: "K4", code: "0xbaadca11",
            message: "No incoming call was reported in time after a VoIP push: \(cause). \(advice)",
            what: "no report \(settings.secondCheckDelay) after the push was delivered: \(cause)", advice: advice)
    }

    /// R57: the completion handler is called once; it plays no part in the checks (K5).
    mutating func pushCompleted(_ id: UUID, by process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        log(.app, "called the push's completion handler", rule: "K5", app: bundle)
        guard let index = pushes.firstIndex(where: { $0.id == id }), !pushes[index].isCompleted else {
            violate(
                "R57", "the completion handler of a push was called again, or after its limit",
                advice: "Call it exactly once, after the report.", app: bundle)
            return
        }
        pushes[index].isCompleted = true
        pushes[index].completionLimit = nil
        forgetPush(id)
    }

    mutating func pushNotHandled(_ id: UUID) {
        guard let index = pushes.firstIndex(where: { $0.id == id }) else { return }
        pushes[index].wasHandled = false
        pushes[index].completionLimit = nil
        violate(
            "R56", "nobody took a VoIP push: the registry has no delegate, or its delegate no method for pushes",
            advice:
                "Keep the registry and its delegate alive. Implement pushRegistry(_:didReceiveIncomingPushWith:for:completion:); from iOS 26.4 on also "
                + "the one with metadata. Check the spelling: a default hides a misspelt method.",
            app: pushes[index].bundle)
        forgetPush(id)
    }

    mutating func checkCompletion(_ id: UUID) {
        guard let index = pushes.firstIndex(where: { $0.id == id }) else { return }
        pushes[index].completionLimit = nil
        violate(
            "R57", "the completion handler of a push was not called within \(settings.pushCompletionLimit)",
            advice: "Call it exactly once on every path, after the report.", app: pushes[index].bundle)
        forgetPush(id)
    }

    private mutating func fail(
        _ push: PushRecord, rule: String, code: String, message: String, what: String, advice: String
    ) {
        apps[push.bundle]?.reportFailures += 1
        violate(rule, what, advice: advice, app: push.bundle)
        if system >= SystemVersion(26), apps[push.bundle]?.app.apsEnvironment == .development {
            log(.phone, "shows a dialog about the unreported push", rule: "K9", app: push.bundle)
        }
        die(push.bundle, rule: rule, code: code, message: message)
    }

    /// Forgets a push once both checks and the completion are done.
    private mutating func forgetPush(_ id: UUID) {
        pushes.removeAll { $0.id == id && $0.secondCheck == nil && $0.completionLimit == nil }
    }
}
