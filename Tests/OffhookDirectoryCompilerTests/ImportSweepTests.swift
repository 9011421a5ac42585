// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookDirectoryCompiler
import Testing

/// Whatever a list's bytes are: reading it ends, counts every line, and makes a file that is whole.
@Suite struct ImportSweepTests {
    private static let formats: [(name: String, format: ImportSource.Format)] = [
        ("text", .text), ("patterns", .patterns), ("JSON lines", .jsonLines), ("CSV", .csv(CSVColumns())),
        (
            "CSV with all columns",
            .csv(CSVColumns(number: .index(1), label: .index(0), block: .index(2), separator: UInt8(ascii: ";")))
        ),
        ("CSV with names", .csv(CSVColumns(number: .named("number"), label: .named("label")))),
    ]

    /// Pieces of the formats, and of what does not belong there.
    private static let words: [[UInt8]] =
        [
            "+49", "30", "123456", "0", "4930123456", "..", "#", "##", "-", "*", "x", "?", "[", "]", "{", "}", "\"",
            "\"\"",
            ",", ";", "\t", "\n", "\r\n", "\r", ":", "\\", "\\u00", "\\ud83d", "\\udc00", "\\n", "number", "label",
            "block",
            "{\"number\":\"", "{\"number\":", "\"label\":\"", "\"block\":true", "null", "true", "1e9", "1e999", "-1",
            "[[[[",
            "{{{{", "ext=7", " ", "\u{FEFF}", "Müller", "\u{202E}", "\0", "99999999999999999999", "9223372036854775807",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]]

    private func bytes(using random: inout Random) -> [UInt8] {
        var bytes: [UInt8] = []
        let style = random.next() % 4
        if random.next() % 3 == 0 { bytes += Array("label,number\n".utf8) }
        for _ in 0..<Int(random.next() % 200) {
            switch style {
            case 0: bytes.append(UInt8(truncatingIfNeeded: random.next()))
            case 1: bytes += ImportSweepTests.words.randomElement(using: &random) ?? []
            default:
                bytes += Array("+49301234\(random.next() % 100),\"Label \(random.next() % 9)\"\n".utf8)
                // A wrong, missing or doubled byte somewhere.
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 12 {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(contentsOf: ImportSweepTests.words.randomElement(using: &random) ?? [], at: place)
                default: break
                }
            }
        }
        return bytes
    }

    @Test("R109: no bytes trap the reader of a list, and every line is counted once", arguments: 0..<8)
    func sweep(part: Int) throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("lists of any bytes: part \(part), seed \(seed)")
        var random = Random(state: seed)
        for round in 0..<150 {
            let bytes = bytes(using: &random)
            let (name, format) = ImportSweepTests.formats[round % ImportSweepTests.formats.count]
            let purposes: [ImportSource.Purpose] = [.block, .identify(defaultLabel: "D"), .exclude]
            let source = Lists.source(
                bytes: bytes, format: format, purpose: purposes[Int(random.next() % 3)],
                piece: 1 + Int(random.next() % 64))
            let hint: Comment = "seed \(seed), round \(round), \(name)"
            do {
                let (report, file) = try Lists.compile([source])
                let list = report.sources[0]
                #expect(list.lines == list.ignored + list.accepted + list.rejectedCount, hint)
                try DirectoryFile(file).verify()
            } catch CompileError.missingColumns {
                // Only a list whose columns have names can lack one.
                #expect(name == "CSV with names", hint)
            } catch CompileError.refused {
                // Ranges that overlap in too many ways for one file are refused as a whole.
                #expect(name == "patterns", hint)
            }
        }
    }
}
