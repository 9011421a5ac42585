// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// What is new about a call.
///
/// Only what was set reaches the phone; the rest of the call stays as it was (I7).
open class CXCallUpdate: NSObject, NSCopying {
    private var handle: CXHandle?
    private var fields = CallUpdateValue()

    /// An update that changes nothing.
    public override init() {}

    /// The caller's address, copied when set.
    open var remoteHandle: CXHandle? {
        get { handle }
        set {
            handle = newValue?.copy() as? CXHandle
            fields.remoteHandle = newValue?.boundaryValue
        }
    }
    /// The name to show instead of the one computed from the handle.
    open var localizedCallerName: String? {
        get { fields.localizedCallerName }
        set { fields.localizedCallerName = newValue }
    }
    /// Whether the call can be held; false while not set.
    open var supportsHolding: Bool {
        get { fields.supportsHolding ?? false }
        set { fields.supportsHolding = newValue }
    }
    /// Whether the call can be grouped with others; false while not set.
    open var supportsGrouping: Bool {
        get { fields.supportsGrouping ?? false }
        set { fields.supportsGrouping = newValue }
    }
    /// Whether the call can leave its group; false while not set.
    open var supportsUngrouping: Bool {
        get { fields.supportsUngrouping ?? false }
        set { fields.supportsUngrouping = newValue }
    }
    /// Whether the call can send tones; false while not set.
    open var supportsDTMF: Bool {
        get { fields.supportsDTMF ?? false }
        set { fields.supportsDTMF = newValue }
    }
    /// Whether the call has video; false while not set.
    open var hasVideo: Bool {
        get { fields.hasVideo ?? false }
        set { fields.hasVideo = newValue }
    }

    /// An update that sets the same fields.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CXCallUpdate()
        copy.handle = handle
        copy.fields = fields
        return copy
    }

    var boundaryValue: CallUpdateValue { fields }
}
