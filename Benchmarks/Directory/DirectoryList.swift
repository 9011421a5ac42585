// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory

/// A made list of callers that looks like lists of the field.
///
/// Ten countries whose numbers lie in blocks of ten thousand, three in ten numbers in a few hot blocks of call centres;
/// 21.6 % with labels, a few of them frequent (Zipf, 0.9), a call centre's block with one label; repeated lines in other
/// spellings, no order. The same seed and size give the same list.
struct DirectoryList {
    private static let countries: [(code: Int64, digits: Int, share: UInt64)] = [
        (1, 10, 24), (49, 10, 14), (33, 9, 12), (44, 10, 10), (39, 10, 9), (34, 9, 8), (48, 9, 7), (91, 10, 7),
        (55, 11, 5), (81, 10, 4),
    ]
    private static let separators = [" ", "-", "", " ", ".", "/"]

    /// Different numbers that were asked for; repeated lines come on top.
    let count: Int
    private var state: UInt64
    private var left: Int
    /// The last numbers, for lines that come again.
    private var recent: [(number: Int64, digits: Int, label: Int)] = []

    init(count: Int, seed: UInt64 = 42) {
        self.count = count
        state = seed
        left = count
    }

    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return DirectoryList.mixed(state)
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The next lines, about a quarter of a megabyte; empty at the end.
    mutating func next() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 << 18 + 1 << 10)
        while bytes.count < 1 << 18, left > 0 {
            if random() % 100 < 13, let again = recent.randomElement(at: random()) {
                write(again.number, label: again.label, into: &bytes)
            } else {
                left -= 1
                let (number, digits, label) = number()
                if recent.count < 4096 {
                    recent.append((number, digits, label))
                } else {
                    recent[Int(random() % 4096)] = (number, digits, label)
                }
                write(number, label: label, into: &bytes)
            }
        }
        return bytes
    }

    private mutating func number() -> (number: Int64, digits: Int, label: Int) {
        var share = random() % 100
        var country = DirectoryList.countries[0]
        for candidate in DirectoryList.countries {
            country = candidate
            if share < candidate.share { break }
            share -= candidate.share
        }
        // What no numbering plan has is drawn again.
        let isHot = random() % 10 < 3
        var number = draw(country.code, digits: country.digits, isHot)
        for _ in 0..<100 where PhoneNumber(rawValue: number)?.isValid != true {
            number = draw(country.code, digits: country.digits, isHot)
        }
        guard random() % 1000 < (isHot ? 360 : 154) else { return (number, country.digits, 0) }
        let chance = isHot ? DirectoryList.mixed(UInt64(number / 10_000)) : random()
        return (number, country.digits, DirectoryList.zipf(Double(chance >> 11) / Double(UInt64(1) << 53)))
    }

    /// Draws a number of a country: a quarter of the blocks are in use.
    private mutating func draw(_ code: Int64, digits: Int, _ isHot: Bool) -> Int64 {
        var scale: Int64 = 1
        for _ in 0..<digits { scale *= 10 }
        let blocks = UInt64(scale / 1_000_000)
        var block: UInt64
        repeat {
            // The first two digits say the area or the network.
            let head = random() % 90 + 10
            block = head * blocks + (isHot ? DirectoryList.mixed(head * 30 + random() % 30) : random()) % blocks
        } while !isHot && DirectoryList.mixed(UInt64(code) << 32 + block) & 15 > 3
        return code * scale + Int64(block) * 10_000 + Int64(random() % 10_000)
    }

    /// Of 50,000 labels.
    private static let labelRoot = pow(50_000, 0.1)

    /// The rank of a label, from 1, for a chance of 0 to 1.
    private static func zipf(_ chance: Double) -> Int {
        let root = 1 + (labelRoot - 1) * chance
        let square = root * root
        return Int(square * square * square * square * square)
    }

    private static let words = (
        ["Northern", "United", "Central", "Premier", "Alpine"],
        ["Insurance", "Market Surveys", "Savings Bank", "Parcel Service", "Energy Supply", "Telecom", "Travel Agency"]
    )

    private static func label(_ rank: Int) -> String {
        "\(words.0[rank % words.0.count]) \(words.1[rank % words.1.count]) \(rank)"
    }

    private mutating func write(_ number: Int64, label: Int, into bytes: inout [UInt8]) {
        let text = String(number)
        let style = random() % 8
        switch style {
        case 0, 1, 2: bytes.append(contentsOf: "+\(text)".utf8)
        case 3: bytes.append(contentsOf: "00\(text)".utf8)
        default:
            let separator = DirectoryList.separators[Int(style) - 2]
            bytes.append(UInt8(ascii: "+"))
            for (index, digit) in text.utf8.enumerated() {
                if index > 1, index % 3 == 0 { bytes.append(contentsOf: separator.utf8) }
                bytes.append(digit)
            }
        }
        if label > 0 {
            bytes.append(UInt8(ascii: "\t"))
            bytes.append(contentsOf: DirectoryList.label(label).utf8)
        }
        bytes.append(UInt8(ascii: "\n"))
    }
}

extension Array {
    fileprivate func randomElement(at random: UInt64) -> Element? {
        isEmpty ? nil : self[Int(random % UInt64(count))]
    }
}
