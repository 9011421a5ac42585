// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookDirectoryCompiler
import Testing

@Suite struct FormatTests {
    @Test("R109: a plain list: comments and empty lines are ignored, a label follows a tab or a semicolon")
    func text() throws {
        let list = "# spam of May\n\n+49 30 123456\n49 (30) 123457\tAcme\r\n4930123458; Bank, Berlin \nno number\n"
        let (report, file) = try Lists.compile([Lists.source(list)])
        let source = report.sources[0]
        #expect((source.lines, source.ignored, source.accepted, source.rejectedCount) == (6, 2, 3, 1))
        #expect(source.examples == [.init(line: 6, reason: .number(.notANumber))])
        #expect(
            try Lists.numbers(of: file) == [
                4930123456: DirectoryAttributes(blocked: true),
                4930123457: DirectoryAttributes(blocked: true, labels: ["Acme"]),
                4930123458: DirectoryAttributes(blocked: true, labels: ["Bank, Berlin"]),
            ])
    }

    @Test("CSV: quoted fields hold separators, quotes and line ends; columns are found by name or place")
    func csv() throws {
        let list =
            "Name,Number,Spam\n\"Bank, \"\"North\"\"\",+4930123456,no\n\"two\nlines\",+4930123457,yes\nPlain,+4930123458,\n"
        let columns = CSVColumns(number: .named("number"), label: .named("NAME"), block: .named("spam"))
        let (report, file) = try Lists.compile([
            Lists.source(list, format: .csv(columns), purpose: .identify(defaultLabel: nil))
        ])
        #expect(report.sources[0].rejected == [.labelHasControlCharacters: 1])
        #expect(report.sources[0].examples.map(\.line) == [3])
        #expect(
            try Lists.numbers(of: file) == [
                4930123456: DirectoryAttributes(blocked: false, labels: ["Bank, \"North\""]),
                4930123458: DirectoryAttributes(blocked: false, labels: ["Plain"]),
            ])
        let byPlace = CSVColumns(number: .index(1), separator: UInt8(ascii: ";"))
        let (_, other) = try Lists.compile([
            Lists.source("\u{FEFF}a;+4930123456\nb\nc;\"+49\"30\n", format: .csv(byPlace))
        ])
        #expect(try Lists.numbers(of: other).keys.sorted() == [4930123456])
    }

    @Test("CSV: a header without the column is an error that names it, and leaves nothing behind")
    func missingColumn() throws {
        let source = Lists.source("phone,who\n1,2\n", name: "a.csv", format: .csv(CSVColumns(number: .named("number"))))
        let error = #expect(throws: CompileError.self) { try Lists.compile([source]) }
        #expect(error.map(\.description)?.contains("a.csv: the header line has no column number; it has ") == true)
    }

    @Test("A quote that nothing closes costs one record, not the rest of the list")
    func openQuote() throws {
        let filler = String(repeating: "x,+4930999999\n", count: 6000)
        let list = "a,+4930123456\n\"open,+4930123457\n" + filler + "z,+4930123458\n"
        let (report, file) = try Lists.compile([Lists.source(list, format: .csv(CSVColumns(number: .index(1))))])
        let source = report.sources[0]
        #expect(source.rejected[.lineTooLong] == 1)
        #expect(source.examples.first?.line == 2)
        #expect(try Lists.numbers(of: file)[4930123458] != nil)
    }

    @Test("JSON lines: number as text or integer, label, block; each malformed line is refused for its reason")
    func jsonLines() throws {
        let list = """
            {"number": "+49 30 123456", "label": "Acme"}
            {"number": 4930123457, "block": true, "extra": [1, {"a": null}]}
            {"number": "+4930123458", "label": "x", "block": false}
            {"label": "no number"}
            {"number": "+4930123459", "label": 7}
            {"number": "+4930123450", "block": "yes"}
            [1]
            {"number":
            {"number": "+4930123451"}
            """
        let (report, file) = try Lists.compile([
            Lists.source(list, format: .jsonLines, purpose: .identify(defaultLabel: nil))
        ])
        #expect(report.sources[0].rejected == [.fieldMissing: 3, .badJSON: 2, .nothingToDo: 1])
        #expect(
            try Lists.numbers(of: file) == [
                4930123456: DirectoryAttributes(blocked: false, labels: ["Acme"]),
                4930123457: DirectoryAttributes(blocked: true),
                4930123458: DirectoryAttributes(blocked: false, labels: ["x"]),
            ])
    }

    @Test("P52: patterns and ranges stand for all their numbers and take a few bytes each")
    func patterns() throws {
        let list = "+33 162 ######\tTelemarketing\n4930100..4930199\n+1#5######\n12\n+0123##\n5..4\n1##########5\n"
        let (report, file) = try Lists.compile([Lists.source(list, format: .patterns)])
        let source = report.sources[0]
        #expect(source.numbers == 1_000_000 + 100 + 10_000_000)
        #expect(source.rejected == [.pattern: 3, .patternTooWide: 1])
        #expect(report.directory.numbers == source.numbers)
        #expect(file.count < 1000)
        let directory = try DirectoryFile(file)
        #expect(try directory.attributes(of: 33_162_999_999)?.labels == ["Telemarketing"])
        #expect(try directory.attributes(of: 33_163_000_000) == nil)
        #expect(try directory.attributes(of: 195_000_000)?.blocked == true)
    }

    @Test("Labels: control characters, broken UTF-8 and too many bytes are refused; a default label stands in")
    func labels() throws {
        var bytes = Array("+4930123456;a\u{7}\n+4930123457;\u{85}\n+4930123458;".utf8) + [0xC3, 0x28]
        bytes += Array(("\n+4930123459;" + String(repeating: "l", count: 4097) + "\n+4930123450\n").utf8)
        let (report, file) = try Lists.compile([
            Lists.source(bytes: bytes, purpose: .identify(defaultLabel: "Shop"))
        ])
        #expect(
            report.sources[0].rejected == [.labelHasControlCharacters: 2, .labelNotUTF8: 1, .labelTooLong: 1])
        #expect(
            try Lists.numbers(of: file) == [4930123450: DirectoryAttributes(blocked: false, labels: ["Shop"])])
    }

    @Test("A line longer than the limit is refused by its number, in any piece size, and memory stays small")
    func longLine() throws {
        let list = "+4930123456\n" + String(repeating: "9", count: 300_000) + "\n+4930123457\n"
        for piece in [1000, 65_536, Int.max] {
            let (report, file) = try Lists.compile([Lists.source(list, piece: piece)])
            #expect(report.sources[0].examples == [.init(line: 2, reason: .lineTooLong)])
            #expect(try Lists.numbers(of: file).count == 2)
        }
    }

    @Test("Bug 15: national variants are entries of their own, and counted apart")
    func variants() throws {
        let options = PhoneNumberOptions(defaultRegion: PhoneRegion("JP"), includesNationalVariants: true)
        let (report, file) = try Lists.compile([Lists.source("03-1234-5678\n", numbers: options)])
        #expect((report.sources[0].numbers, report.sources[0].variants) == (1, 1))
        #expect(try Lists.numbers(of: file).keys.sorted() == [312_345_678, 81_312_345_678])
    }
}
