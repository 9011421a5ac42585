// SPDX-License-Identifier: MIT

import OffhookDirectory

/// Turns the records of one list into entries; refuses what it does not understand, with the reason, and goes on.
struct ListReader {
    let source: ImportSource
    let parser: PhoneNumberParser
    let index: UInt16
    var report: SourceReport
    var fields: CSVFields?
    /// Columns that the header line does not have: the list cannot be read.
    var missingColumns: [String] = []
    private let defaultLabel: [UInt8]

    init(_ source: ImportSource, index: UInt16) {
        self.source = source
        self.index = index
        parser = PhoneNumberParser(options: source.numbers)
        report = SourceReport(name: source.name)
        switch source.format {
        case .csv(let columns): fields = CSVFields(columns)
        case .text, .jsonLines, .patterns: fields = nil
        }
        switch source.purpose {
        case .identify(let label): defaultLabel = Array((label ?? "").utf8)
        case .block, .exclude: defaultLabel = []
        }
    }

    /// Whether a record's fields may hold line ends.
    var quotes: Bool { fields != nil }

    /// The refused line, when the last record was one.
    mutating func takeRejection() -> SourceReport.Rejection? {
        guard let rejection = report.last else { return nil }
        report.last = nil
        return rejection
    }

    /// What a record says, before its parts are judged.
    struct Parts {
        var number: UnsafeBufferPointer<UInt8>
        var label: UnsafeBufferPointer<UInt8>
        /// nil when the record does not say.
        var blocks: Bool?
    }

    /// Reads one record; nil stands for one that was too long.
    mutating func read(
        _ record: UnsafeBufferPointer<UInt8>?, line: Int, labels: inout LabelTable,
        into emit: (SortRecord) throws -> Void
    ) throws {
        report.lines += 1
        guard let record else { return report.reject(.lineTooLong, line: line) }
        let text = ListReader.trimmed(record)
        if text.isEmpty { return report.ignored += 1 }
        switch source.format {
        case .text, .patterns:
            guard text[0] != UInt8(ascii: "#") else { return report.ignored += 1 }
            let end = text.firstIndex { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: ";") } ?? text.count
            let label = end < text.count ? UnsafeBufferPointer(rebasing: text[(end + 1)...]) : ListReader.nothing
            try take(
                Parts(number: UnsafeBufferPointer(rebasing: text[..<end]), label: label), line: line, labels: &labels,
                into: emit)
        case .csv: try readCSV(record, line: line, labels: &labels, into: emit)
        case .jsonLines: try readJSON(text, line: line, labels: &labels, into: emit)
        }
    }

    /// Judges the parts of a record and hands over its entries.
    mutating func take(
        _ parts: Parts, line: Int, labels: inout LabelTable, into emit: (SortRecord) throws -> Void
    ) throws {
        var label = LabelTable.none
        var flags: UInt16 = 0
        switch source.purpose {
        case .exclude: flags = SortRecord.excludes
        case .block, .identify:
            if let reason = identify(parts.label, labels: &labels, as: &label) {
                return report.reject(reason, line: line)
            }
            let blocks = parts.blocks ?? (source.purpose == .block)
            if blocks { flags = SortRecord.blocks }
            if !blocks, label == LabelTable.none { return report.reject(.nothingToDo, line: line) }
        }
        let record = SortRecord(first: 0, last: 0, label: label, source: index, flags: flags)
        let number = ListReader.trimmed(parts.number)
        if case .patterns = source.format { return try takePattern(number, record, line: line, into: emit) }
        do {
            let number = try parser.parse(utf8: number)
            report.accepted += 1
            report.numbers += 1
            for value in parser.entries(for: number) {
                if value != number.rawValue { report.variants += 1 }
                var entry = record
                (entry.first, entry.last) = (value, value)
                try emit(entry)
            }
        } catch let error as PhoneNumberError {
            report.reject(.number(error), line: line)
        }
    }

    private mutating func takePattern(
        _ text: UnsafeBufferPointer<UInt8>, _ record: SortRecord, line: Int, into emit: (SortRecord) throws -> Void
    ) throws {
        let pattern: NumberPattern
        do throws(NumberPattern.Fault) {
            pattern = try NumberPattern(utf8: text)
        } catch {
            return report.reject(error == .tooWide ? .patternTooWide : .pattern, line: line)
        }
        report.accepted += 1
        report.numbers += pattern.count
        for range in pattern.ranges {
            var entry = record
            (entry.first, entry.last) = (range.lowerBound, range.upperBound)
            try emit(entry)
        }
    }

    /// Finds the label's number; the default label stands in for an empty one.
    private func identify(
        _ label: UnsafeBufferPointer<UInt8>, labels: inout LabelTable, as identifier: inout UInt32
    ) -> RejectReason? {
        let text = ListReader.trimmed(label)
        if text.isEmpty {
            if !defaultLabel.isEmpty {
                identifier = defaultLabel.withUnsafeBufferPointer { labels.identifier(of: $0) }
            }
            return nil
        }
        if text.count > DirectoryFormat.maximumLabelBytes { return .labelTooLong }
        var isASCII = true
        for byte in text {
            if byte < 0x20 || byte == 0x7F { return .labelHasControlCharacters }
            if byte >= 0x80 { isASCII = false }
        }
        if !isASCII {
            guard let string = String(validating: text, as: UTF8.self) else { return .labelNotUTF8 }
            // C1 controls, as the bytes C2 80 to C2 9F.
            if string.unicodeScalars.contains(where: { (0x80...0x9F).contains($0.value) }) {
                return .labelHasControlCharacters
            }
        }
        identifier = labels.identifier(of: text)
        return nil
    }

    static var nothing: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }

    static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var (start, end) = (0, text.count)
        while start < end, isSpace(text[start]) { start += 1 }
        while end > start, isSpace(text[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
}
