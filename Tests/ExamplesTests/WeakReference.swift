// SPDX-License-Identifier: MIT

/// Does not keep an app alive that the phone has let go.
struct WeakReference<Object: AnyObject & Sendable>: Sendable {
    weak let value: Object?

    init(_ value: Object?) {
        self.value = value
    }
}
