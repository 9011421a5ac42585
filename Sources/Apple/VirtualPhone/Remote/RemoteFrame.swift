// SPDX-License-Identifier: MIT

import Foundation

/// A message as bytes: its length, the length of its JSON, the JSON, and the data it holds, each with its length.
///
/// All lengths are four bytes, little-endian. In the JSON the number of each piece of data stands in its place, so that
/// thousands of phone numbers are neither written as text nor copied more than once.
enum RemoteFrame {
    /// A frame that is longer is none.
    static let limit = 64 << 20

    /// The frame of a message.
    static func encode(_ message: RemoteMessage) throws -> Data {
        let attachments = Locked<[Data]>([])
        let encoder = JSONEncoder()
        encoder.dataEncodingStrategy = .custom { data, encoder in
            let index = attachments.withLock { attachments in
                attachments.append(data)
                return attachments.count - 1
            }
            var container = encoder.singleValueContainer()
            try container.encode(index)
        }
        let json = try encoder.encode(message)
        let pieces = attachments.withLock { $0 }
        let length = 4 + json.count + pieces.reduce(0) { $0 + 4 + $1.count }
        var frame = Data(capacity: 4 + length)
        frame.append(length: length)
        frame.append(length: json.count)
        frame.append(json)
        for piece in pieces {
            frame.append(length: piece.count)
            frame.append(piece)
        }
        return frame
    }

    /// The message of a frame without its first four bytes.
    static func decode(_ body: Data) throws -> RemoteMessage {
        var rest = body
        let json = try rest.takePiece()
        var pieces: [Data] = []
        while !rest.isEmpty { pieces.append(try rest.takePiece()) }
        let decoder = JSONDecoder()
        decoder.dataDecodingStrategy = .custom { [pieces] decoder in
            let index = try decoder.singleValueContainer().decode(Int.self)
            guard pieces.indices.contains(index) else { throw RemoteError.malformed }
            return pieces[index]
        }
        return try decoder.decode(RemoteMessage.self, from: json)
    }
}

/// Why a process and its phone do not understand each other.
enum RemoteError: Error, Hashable, Sendable {
    /// A frame that is none.
    case malformed
    /// The other side is gone.
    case closed
}

extension Data {
    fileprivate mutating func append(length: Int) {
        Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func takePiece() throws -> Data {
        guard count >= 4 else { throw RemoteError.malformed }
        let length = Int([UInt32](littleEndian: prefix(4)).first ?? 0)
        guard length <= count - 4 else { throw RemoteError.malformed }
        defer { self = dropFirst(4 + length) }
        return dropFirst(4).prefix(length)
    }
}
