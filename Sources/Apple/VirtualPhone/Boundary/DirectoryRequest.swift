// SPDX-License-Identifier: MIT

public import Foundation

/// What an app, or its Call Directory extension, asks of the phone's caller identification (D1-D11).
public enum DirectoryRequest: Hashable, Sendable, Codable {
    // CXCallDirectoryManager
    /// reloadExtension; answered by ``DirectoryEvent/completed(error:)`` under the id of the request (D6).
    case reload(extensionIdentifier: String, request: UUID)
    /// getEnabledStatusForExtension; answered by ``DirectoryEvent/status(_:error:)`` (D8).
    case enabledStatus(extensionIdentifier: String, request: UUID)
    /// openSettings; answered by ``DirectoryEvent/completed(error:)`` (D8).
    case openSettings(request: UUID)

    // CXCallDirectoryProvider
    /// The extension's principal object exists, and takes ``DirectoryEvent/beginRequest(context:)`` under this id.
    case attachPrincipal(principal: UUID)

    // CXCallDirectoryExtensionContext
    /// The context has a delegate, which hears of a failure (D11).
    case setContextDelegate(context: UUID, present: Bool)
    /// isIncremental was read; answered with ``AppReply/isIncremental(_:)`` (D1).
    case readIncremental(context: UUID)
    /// Entries added and removed, in order; a failure tells that the load has failed and needs no more (D3).
    case entries(context: UUID, DirectoryBatch)
    /// completeRequest; answered by ``DirectoryEvent/requestCompleted(expired:)`` under the id of the completion (D5).
    case complete(context: UUID, completion: UUID)
    /// cancelRequest(withError:).
    case cancel(context: UUID, error: PhoneError)
}

/// What the phone tells an app, or its Call Directory extension, about caller identification.
public enum DirectoryEvent: Hashable, Sendable, Codable {
    /// The answer to a request that needs no value.
    case completed(error: PhoneError?)
    /// The answer to a request for the switch: CXCallDirectoryManager.EnabledStatus's raw value.
    case status(Int, error: PhoneError?)
    /// To the principal object: give the entries.
    case beginRequest(context: UUID)
    /// To a context: the load failed (D11).
    case requestFailed(error: PhoneError)
    /// To a completion: the load is over; nothing was stored when it expired (D5).
    case requestCompleted(expired: Bool)
}

/// Some entries of one kind on their way to the phone, so that a message carries thousands.
public struct DirectoryBatch: Hashable, Sendable, Codable {
    /// Which list they are for.
    public enum List: String, Hashable, Sendable, Codable {
        /// Numbers to block.
        case blocking
        /// Numbers to identify.
        case identification
    }

    /// What is done with an entry; the raw value stands in ``operations``.
    public enum Operation: UInt8, Sendable {
        /// It is added.
        case add = 0
        /// It is removed, with all its labels.
        case remove = 1
        /// Every entry of the list is removed; the number means nothing.
        case removeAll = 2
    }

    /// Which list the entries are for.
    public var list: List
    /// The numbers, 8 bytes each, little-endian.
    public var numbers: Data
    /// What is done with each, one byte each; empty when all are added.
    public var operations: Data
    /// The different labels of the batch.
    public var labels: [String]
    /// The place of each entry's label in ``labels``, 2 bytes each, little-endian; empty for numbers to block.
    public var labelIndexes: Data

    /// Makes a batch.
    public init(
        list: List, numbers: Data, operations: Data = Data(), labels: [String] = [], labelIndexes: Data = Data()
    ) {
        self.list = list
        self.numbers = numbers
        self.operations = operations
        self.labels = labels
        self.labelIndexes = labelIndexes
    }
}
