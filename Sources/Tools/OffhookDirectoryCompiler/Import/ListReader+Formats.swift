// SPDX-License-Identifier: MIT

import OffhookWire

extension ListReader {
    mutating func readCSV(
        _ record: UnsafeBufferPointer<UInt8>, line: Int, labels: inout LabelTable,
        into emit: (SortRecord) throws -> Void
    ) throws {
        guard var fields else { return }
        // Given back at once: no copy of its buffers is made while they are changed.
        self.fields = nil
        defer { self.fields = fields }
        if fields.isHeaderPending {
            missingColumns = fields.readHeader(record)
            return report.ignored += 1
        }
        guard let places = fields.places else { return report.reject(.fieldMissing, line: line) }
        guard fields.split(record) else { return report.reject(.badQuotes, line: line) }
        guard places.number < fields.count else { return report.reject(.fieldMissing, line: line) }
        let blocks = places.block.flatMap { index -> Bool? in
            index < fields.count ? fields.withField(index, of: record) { ListReader.flag($0) } : nil
        }
        try fields.withField(places.number, of: record) { number in
            guard let index = places.label, index < fields.count else {
                return try take(
                    Parts(number: number, label: ListReader.nothing, blocks: blocks), line: line, labels: &labels,
                    into: emit)
            }
            try fields.withField(index, of: record) { label in
                try take(
                    Parts(number: number, label: label, blocks: blocks), line: line, labels: &labels, into: emit)
            }
        }
    }

    mutating func readJSON(
        _ record: UnsafeBufferPointer<UInt8>, line: Int, labels: inout LabelTable,
        into emit: (SortRecord) throws -> Void
    ) throws {
        guard let value = try? JSONValue.parse(Array(record)), case .object(let object) = value else {
            return report.reject(.badJSON, line: line)
        }
        let number: String
        switch object["number"] {
        case .string(let text): number = text
        case .integer(let value): number = String(value)
        case .null, .bool, .number, .array, .object, nil: return report.reject(.fieldMissing, line: line)
        }
        var label = ""
        switch object["label"] {
        case .string(let text): label = text
        case nil, .null: break
        case .bool, .integer, .number, .array, .object: return report.reject(.fieldMissing, line: line)
        }
        var blocks: Bool?
        switch object["block"] {
        case .bool(let value): blocks = value
        case nil, .null: break
        case .string, .integer, .number, .array, .object: return report.reject(.fieldMissing, line: line)
        }
        var digits = number
        try digits.withUTF8 { number in
            try label.withUTF8 { label in
                try take(
                    Parts(number: number, label: label, blocks: blocks), line: line, labels: &labels, into: emit)
            }
        }
    }

    /// Reads a field that says yes or no; nil when it says neither.
    static func flag(_ field: UnsafeBufferPointer<UInt8>) -> Bool? {
        switch String(decoding: trimmed(field), as: UTF8.self).lowercased() {
        case "1", "true", "yes", "y", "block", "blocked": return true
        case "0", "false", "no", "n", "": return false
        default: return nil
        }
    }
}
