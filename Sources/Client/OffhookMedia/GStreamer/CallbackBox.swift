// SPDX-License-Identifier: MIT

import CGStreamer

/// Carries a Swift closure through a C callback's context pointer.
///
/// The C side owns one reference and gives it back through a destroy function.
final class CallbackBox<Body: Sendable>: Sendable {
    let body: Body

    init(_ body: Body) {
        self.body = body
    }

    /// A context pointer that owns the box.
    func retained() -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(self).toOpaque()
    }

    /// The closure that a context pointer carries.
    static func body(_ context: UnsafeMutableRawPointer?) -> Body? {
        context.map { Unmanaged<CallbackBox<Body>>.fromOpaque($0).takeUnretainedValue().body }
    }
}

/// Gives a closure's box back: GDestroyNotify.
func releaseBox(_ context: UnsafeMutableRawPointer?) {
    if let context { Unmanaged<AnyObject>.fromOpaque(context).release() }
}

/// Gives a closure's box back: GClosureNotify.
func releaseClosureBox(_ context: UnsafeMutableRawPointer?, _ closure: UnsafeMutablePointer<GClosure>?) {
    releaseBox(context)
}
