// SPDX-License-Identifier: MIT

/// Turns checkpoints into bytes and back; docs/checkpoint-format.md has the form byte by byte.
///
/// Decoding takes any input: it returns the checkpoint that was encoded, or says why it cannot.
public enum CheckpointCodec {
    /// The schema that is written.
    public static let schema = 1
    /// The longest file that is read, in bytes.
    public static let limit = 16 * 1024 * 1024

    /// The checkpoint as the content of a file.
    public static func encode(_ checkpoint: Checkpoint) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeHeader(magic: magic, schema: schema)
        writer.write(checkpoint)
        writer.seal()
        return writer.bytes
    }

    /// Reads the content of a file.
    ///
    /// - Throws: ``CheckpointError``; never anything else, and never a trap.
    public static func decode(_ bytes: [UInt8]) throws(CheckpointError) -> Checkpoint {
        guard bytes.count <= limit else { throw .tooLarge(bytes.count) }
        return try ByteReader.reading(bytes) { (reader: inout ByteReader) throws(CheckpointError) in
            try reader.readHeader(magic: magic, schema: schema)
            let checkpoint = try reader.checkpoint()
            guard reader.isAtEnd else { throw .damaged }
            return checkpoint
        }
    }

    /// The first four bytes of the file: "OHCP".
    static let magic: [UInt8] = [0x4F, 0x48, 0x43, 0x50]
}
