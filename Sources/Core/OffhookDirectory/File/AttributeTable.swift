// SPDX-License-Identifier: MIT

// Collects attribute sets and label texts, each numbered in the order in which entries first use them.
struct AttributeTable {
    private(set) var setCount = 0
    private(set) var labelCount = 0
    private var setRecords: [UInt8] = []
    private var setSamples: [UInt8] = []
    private var labelRecords: [UInt8] = []
    private var labelSamples: [UInt8] = []
    private var labels: [Key: UInt32] = [:]

    // A label's bytes; String's own equality would take two spellings of one character for the same.
    private struct Key: Hashable {
        let bytes: [UInt8]
    }

    mutating func append(_ attributes: DirectoryAttributes) -> UInt32 {
        if setCount % DirectoryFormat.setSample == 0 {
            setSamples.appendInteger(UInt32(setRecords.count))
            setSamples.appendInteger(UInt32(labelCount))
        }
        let blocked: UInt64 = attributes.blocked ? 1 : 0
        let known = labelCount
        let numbers = attributes.labels.map { number(of: $0) }
        if numbers.count == 1, numbers[0] == known {
            setRecords.appendVarint(2 + blocked)
        } else if numbers.isEmpty {
            setRecords.appendVarint(blocked)
        } else {
            setRecords.appendVarint(UInt64(numbers.count + 1) * 2 + blocked)
            for number in numbers { setRecords.appendVarint(UInt64(number)) }
        }
        setCount += 1
        return UInt32(setCount - 1)
    }

    private mutating func number(of label: String) -> UInt32 {
        let key = Key(bytes: Array(label.utf8))
        if let number = labels[key] { return number }
        if labelCount % DirectoryFormat.labelSample == 0 { labelSamples.appendInteger(UInt32(labelRecords.count)) }
        labelRecords.appendVarint(UInt64(key.bytes.count))
        labelRecords += key.bytes
        let number = UInt32(labelCount)
        labels[key] = number
        labelCount += 1
        return number
    }

    // Whether another set surely fits: offsets have 32 bits.
    var hasRoom: Bool {
        let largest = 2 * DirectoryFormat.maximumLabels * DirectoryFormat.maximumLabelBytes
        return setCount < DirectoryFormat.maximumSets && labelRecords.count < Int(UInt32.max) - largest
    }

    // The two sections: records, then samples.
    var sections: (sets: [UInt8], labels: [UInt8]) {
        (setRecords + setSamples, labelRecords + labelSamples)
    }
}

// Reads the two sections where they lie in the file.
struct AttributeTableReader {
    let setCount: Int
    let labelCount: Int
    let sets: Range<Int>
    let labels: Range<Int>

    private var setSamples: Int {
        sets.upperBound - (setCount + DirectoryFormat.setSample - 1) / DirectoryFormat.setSample * 8
    }
    private var labelSamples: Int {
        labels.upperBound - (labelCount + DirectoryFormat.labelSample - 1) / DirectoryFormat.labelSample * 4
    }

    // Whether every record and every sample is right; nil, or the part that is wrong. Only a delta has a set that is
    // neither blocked nor labelled.
    func damage(in file: UnsafeRawBufferPointer, kind: DirectoryFileKind) -> DirectoryFilePart? {
        guard sets.lowerBound <= setSamples else { return .attributes }
        guard labels.lowerBound <= labelSamples else { return .labels }
        var reader = ByteReader(file, from: sets.lowerBound, to: setSamples)
        var samples = ByteReader(file, from: setSamples, to: sets.upperBound)
        var known = 0
        for set in 0..<setCount {
            if set % DirectoryFormat.setSample == 0 {
                guard samples.integer(UInt32.self).map(Int.init) == reader.position - sets.lowerBound,
                    samples.integer(UInt32.self).map(Int.init) == known
                else { return .attributes }
            }
            guard let (blocked, numbers) = record(from: &reader, known: &known), known <= labelCount,
                numbers.allSatisfy({ $0 < known }), blocked || !numbers.isEmpty || kind == .delta
            else { return .attributes }
        }
        guard reader.position == setSamples, known == labelCount else { return .attributes }
        return labelDamage(in: file)
    }

    private func labelDamage(in file: UnsafeRawBufferPointer) -> DirectoryFilePart? {
        var reader = ByteReader(file, from: labels.lowerBound, to: labelSamples)
        var samples = ByteReader(file, from: labelSamples, to: labels.upperBound)
        for label in 0..<labelCount {
            if label % DirectoryFormat.labelSample == 0,
                samples.integer(UInt32.self).map(Int.init) != reader.position - labels.lowerBound
            {
                return .labels
            }
            guard let length = reader.count(upTo: DirectoryFormat.maximumLabelBytes), length > 0,
                length <= reader.end - reader.position
            else { return .labels }
            let text = file[reader.position..<reader.position + length]
            // Decoding puts other bytes in the place of invalid ones.
            guard String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) else { return .labels }
            reader.position += length
        }
        return reader.position == labelSamples ? nil : .labels
    }

    // A set's blocked bit and label numbers; a label number not below `known` is a new label.
    private func record(from reader: inout ByteReader, known: inout Int) -> (blocked: Bool, labels: [Int])? {
        guard let head = reader.count(upTo: DirectoryFormat.maximumLabels * 2 + 3) else { return nil }
        let blocked = head & 1 == 1
        switch head / 2 {
        case 0:
            return (blocked, [])
        case 1:
            known += 1
            return (blocked, [known - 1])
        case let form:
            var numbers: [Int] = []
            for _ in 0..<form - 1 {
                guard let number = reader.count(upTo: known) else { return nil }
                if number == known { known += 1 }
                numbers.append(number)
            }
            return (blocked, numbers)
        }
    }

    // Steps over a set's record without reading it into an array; false when it is damaged.
    @inline(__always) private func skipRecord(in reader: inout ByteReader, known: inout Int) -> Bool {
        guard let head = reader.count(upTo: DirectoryFormat.maximumLabels * 2 + 3) else { return false }
        if head < 4 {
            known += head / 2
            return true
        }
        for _ in 0..<head / 2 - 1 {
            guard let number = reader.count(upTo: known) else { return false }
            if number == known { known += 1 }
        }
        return true
    }

    // The attributes of a set; nil when the tables are damaged. `set` is below `setCount`.
    func attributes(of set: UInt32, in file: UnsafeRawBufferPointer) -> DirectoryAttributes? {
        let sample = Int(set) / DirectoryFormat.setSample
        var samples = ByteReader(file, from: setSamples + sample * 8, to: sets.upperBound)
        guard let offset = samples.integer(UInt32.self), let known32 = samples.integer(UInt32.self) else { return nil }
        var known = Int(known32)
        var reader = ByteReader(file, from: sets.lowerBound + Int(offset), to: setSamples)
        for _ in 0..<Int(set) % DirectoryFormat.setSample {
            guard skipRecord(in: &reader, known: &known) else { return nil }
        }
        guard let (blocked, numbers) = record(from: &reader, known: &known) else { return nil }
        if numbers.count == 1 {
            return text(of: numbers[0], in: file).map { DirectoryAttributes(blocked: blocked, labels: [$0]) }
        }
        var texts: [String] = []
        for number in numbers {
            guard let text = text(of: number, in: file) else { return nil }
            texts.append(text)
        }
        return DirectoryAttributes(blocked: blocked, labels: texts)
    }

    private func text(of label: Int, in file: UnsafeRawBufferPointer) -> String? {
        let sample = label / DirectoryFormat.labelSample
        var samples = ByteReader(file, from: labelSamples + sample * 4, to: labels.upperBound)
        guard label < labelCount, let offset = samples.integer(UInt32.self) else { return nil }
        var reader = ByteReader(file, from: labels.lowerBound + Int(offset), to: labelSamples)
        for _ in 0..<label % DirectoryFormat.labelSample {
            guard let length = reader.count(upTo: DirectoryFormat.maximumLabelBytes) else { return nil }
            reader.position += length
        }
        guard let length = reader.count(upTo: DirectoryFormat.maximumLabelBytes),
            length <= reader.end - reader.position
        else { return nil }
        return String(decoding: file[reader.position..<reader.position + length], as: UTF8.self)
    }
}
