// SPDX-License-Identifier: MIT

/// A choice that files hold as one byte; a code, once given, keeps its meaning.
protocol StoredCode: CaseIterable, Sendable {
    /// The byte, from 1 on.
    var code: UInt8 { get }
    /// The choice of every byte.
    static var choices: [Self?] { get }
}

extension StoredCode {
    /// The choice of a byte; nil for a byte without meaning.
    init?(code: UInt8) {
        guard let choice = Self.choices[Int(code)] else { return nil }
        self = choice
    }

    /// What `choices` is made of.
    static func byCode() -> [Self?] {
        var choices = [Self?](repeating: nil, count: 256)
        for choice in allCases { choices[Int(choice.code)] = choice }
        return choices
    }
}

extension EndReason: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .localHangup: 1
        case .declined: 2
        case .remoteEnded: 3
        case .callerCancelled: 4
        case .unanswered: 5
        case .busy: 6
        case .failed: 7
        case .answeredElsewhere: 8
        case .declinedElsewhere: 9
        case .unreachable: 10
        }
    }
}

extension Handle.Kind: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .generic: 1
        case .phoneNumber: 2
        case .emailAddress: 3
        }
    }
}

extension Call.Direction: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .incoming: 1
        case .outgoing: 2
        }
    }
}

extension CameraFacing: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .front: 1
        case .back: 2
        }
    }
}

extension LocalVideo: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .off: 1
        case .on: 2
        case .blocked: 3
        }
    }
}

extension OperationResult.Status: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .applied: 1
        case .rejected: 2
        case .timedOut: 3
        case .unknown: 4
        }
    }
}

extension CallFailure.Code: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .busy: 1
        case .invalidState: 2
        case .callNotFound: 3
        case .mediaNotReady: 4
        case .deadlineExceeded: 5
        case .refusedByPhone: 6
        case .filtered: 7
        case .refusedByServer: 8
        case .serverUnreachable: 9
        case .mediaFailed: 10
        case .peerIdentity: 11
        case .callEnded: 12
        case .providerReset: 13
        case .unsupported: 14
        case .invalidArgument: 15
        case .conflict: 16
        case .permissionDenied: 17
        case .notStored: 18
        case .processEnded: 19
        case .notStarted: 20
        }
    }
}
