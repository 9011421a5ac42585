// SPDX-License-Identifier: MIT

import Foundation
import Offhook

/// The bytes of a WAV file (RIFF WAVE): what is read and what is written.
enum WAVFile {
    /// Offsets in the head that this module writes: RIFF, fmt, the start-time chunk, data.
    static let riffSizeOffset = 4
    static let startOffset = 44
    static let dataSizeOffset = 64
    static let headSize = 68
    /// Our own chunk: both clocks of the first sample, two little-endian Int64; other programs skip it.
    static let startChunk = "ofst"

    static func head(sampleRate: Int, byteCount: Int, start: SoundTime?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes += Array("RIFF".utf8) + little(UInt32(clamping: byteCount + headSize - 8))
        bytes += Array("WAVEfmt ".utf8) + little(UInt32(16))
        bytes += little(UInt16(1)) + little(UInt16(1))
        bytes += little(UInt32(clamping: sampleRate)) + little(UInt32(clamping: sampleRate * 2))
        bytes += little(UInt16(2)) + little(UInt16(16))
        bytes += Array(startChunk.utf8) + little(UInt32(16)) + startBytes(start)
        bytes += Array("data".utf8) + little(UInt32(clamping: byteCount))
        return bytes
    }

    static func startBytes(_ start: SoundTime?) -> [UInt8] {
        little(start?.monotonicNanoseconds ?? 0) + little(start?.wallMilliseconds ?? 0)
    }

    static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func bytes(of samples: [Int16]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * 2)
        for sample in samples {
            let value = UInt16(bitPattern: sample)
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        return bytes
    }
}

extension PCM {
    /// Reads a WAV file: PCM of 8, 16, 24 or 32 bits or 32-bit float, any rate; several channels become their mean.
    ///
    /// A data chunk that ends early, as that of a program that died while writing, is read as far as it goes.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `device` when the file cannot be read or is no such WAV file.
    public init(wav path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MediaFailure(.device, "cannot read the sound file \(path)")
        }
        do {
            self = try PCM(wavBytes: [UInt8](data))
        } catch {
            throw MediaFailure(error.code, "\(path): \(error.message)")
        }
    }

    /// Writes a WAV file of 16-bit PCM; an existing file is replaced.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `device` when the file cannot be written.
    public func write(wav path: String) throws {
        let head = WAVFile.head(sampleRate: sampleRate, byteCount: samples.count * 2, start: start)
        guard FileManager.default.createFile(atPath: path, contents: Data(head + WAVFile.bytes(of: samples))) else {
            throw MediaFailure(.device, "cannot write the sound file \(path)")
        }
    }

    /// Reads the bytes of a WAV file.
    init(wavBytes bytes: [UInt8]) throws(MediaFailure) {
        func text(_ offset: Int) -> String { String(decoding: bytes[offset..<offset + 4], as: UTF8.self) }
        func number(_ offset: Int, _ size: Int) -> UInt64 {
            (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        }
        guard bytes.count >= 12, text(0) == "RIFF", text(8) == "WAVE" else {
            throw MediaFailure(.device, "this is no WAV file (RIFF WAVE)")
        }
        var format: (code: UInt64, channels: Int, rate: Int, bits: Int)?
        var start: SoundTime?
        var offset = 12
        while offset + 8 <= bytes.count {
            let name = text(offset)
            let body = offset + 8
            let size = min(Int(number(offset + 4, 4)), bytes.count - body)
            if name == "fmt " {
                guard size >= 16 else { throw MediaFailure(.device, "the WAV format chunk is too short") }
                var code = number(body, 2)
                if code == 0xFFFE, size >= 26 { code = number(body + 24, 2) }
                format = (code, Int(number(body + 2, 2)), Int(number(body + 4, 4)), Int(number(body + 14, 2)))
            } else if name == WAVFile.startChunk, size == 16, number(body, 8) != 0 {
                start = SoundTime(
                    monotonicNanoseconds: Int64(bitPattern: number(body, 8)),
                    wallMilliseconds: Int64(bitPattern: number(body + 8, 8)))
            } else if name == "data" {
                guard let format else { throw MediaFailure(.device, "the WAV file has sound before its format") }
                guard (1...1_000_000).contains(format.rate), (1...64).contains(format.channels),
                    let width = Self.width(code: format.code, bits: format.bits)
                else { throw MediaFailure(.device, "save the WAV file as PCM of 8 to 32 bits") }
                let samples = Self.mono(bytes[body..<body + size], width: width, channels: format.channels) {
                    Self.sample(number($0, width), code: format.code, width: width)
                }
                self.init(sampleRate: format.rate, samples: samples, start: start)
                return
            }
            offset = body + size + size % 2
        }
        throw MediaFailure(.device, "the WAV file has no sound in it (no data chunk)")
    }

    private static func width(code: UInt64, bits: Int) -> Int? {
        switch (code, bits) {
        case (1, 8), (1, 16), (1, 24), (1, 32), (3, 32): bits / 8
        default: nil
        }
    }

    private static func mono(
        _ bytes: ArraySlice<UInt8>, width: Int, channels: Int, sample: (Int) -> Int
    ) -> [Int16] {
        let block = width * channels
        return stride(from: bytes.startIndex, to: bytes.endIndex - block + 1, by: block).map { offset in
            var sum = 0
            for channel in 0..<channels { sum += sample(offset + channel * width) }
            return Int16(clamping: sum / channels)
        }
    }

    private static func sample(_ raw: UInt64, code: UInt64, width: Int) -> Int {
        if code == 3 {
            let value = Float(bitPattern: UInt32(truncatingIfNeeded: raw))
            return value.isFinite ? Int(max(-1, min(1, value)) * 32_767) : 0
        }
        if width == 1 { return (Int(raw) - 128) << 8 }
        return Int(Int64(bitPattern: raw << UInt64(64 - 8 * width)) >> 48)
    }
}
