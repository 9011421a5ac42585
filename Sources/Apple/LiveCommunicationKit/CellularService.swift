// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// A line of the phone; the virtual phone has one, and none in airplane mode.
public struct CellularService: Hashable, Codable, Identifiable, Sendable {
    /// The user's name for the line.
    public let label: String
    /// Names the line.
    public let id: UUID

    init(_ value: CellularServiceValue) {
        label = value.label
        id = value.id
    }
}
