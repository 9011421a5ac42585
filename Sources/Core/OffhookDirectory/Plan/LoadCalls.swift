// SPDX-License-Identifier: MIT

// What is to be done for a number.
struct LoadCalls {
    let removesBlocked: Bool
    let removesIdentification: Bool
    let addsBlocked: Bool
    let labels: Int

    @inline(__always) init(_ before: DirectoryAttributes, _ after: DirectoryAttributes) {
        removesBlocked = before.blocked && !after.blocked
        addsBlocked = after.blocked && !before.blocked
        let areSame =
            before.labels.isEmpty && after.labels.isEmpty
            || before.labels.count == after.labels.count
                && zip(before.labels, after.labels).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        removesIdentification = !areSame && !before.labels.isEmpty
        labels = areSame ? 0 : after.labels.count
    }

    var removals: Int { (removesBlocked ? 1 : 0) + (removesIdentification ? 1 : 0) }
    var additions: Int { (addsBlocked ? 1 : 0) + labels }
    var count: Int { removals + additions }
}
