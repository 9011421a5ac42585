// SPDX-License-Identifier: MIT

import Foundation

/// Writes a line with values in the places of a format, such as `"%{public}@ has %d"`.
///
/// A value of `%@` and `%s` is hidden unless the format says `public`.
public func os_log(
    _ message: StaticString, dso: UnsafeRawPointer? = nil, log: OSLog = .default, type: OSLogType = .default,
    _ args: Any?...
) {
    log.write(type, FormatText.fill("\(message)", args))
}

/// Writes a line of some kind with values in the places of a format.
public func os_log(
    _ type: OSLogType, dso: UnsafeRawPointer? = nil, log: OSLog = .default, _ message: StaticString, _ args: Any?...
) {
    log.write(type, FormatText.fill("\(message)", args))
}

/// Writes a line.
@_disfavoredOverload
public func os_log(_ message: OSLogMessage) {
    OSLog.default.write(.default, message.text)
}

/// Writes a line of some kind.
@_disfavoredOverload
public func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

/// Puts values in the places of a format of os_log.
enum FormatText {
    static func fill(_ format: String, _ values: [Any?]) -> String {
        var result = ""
        var values = values[...]
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            result += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            if rest.first == "%" {
                result += "%"
                rest = rest.dropFirst()
                continue
            }
            var options: Substring = ""
            if rest.first == "{", let end = rest.firstIndex(of: "}") {
                options = rest[rest.index(after: rest.startIndex)..<end]
                rest = rest[rest.index(after: end)...]
            }
            let specification = rest.prefix { !$0.isLetter && $0 != "@" }
            rest = rest.dropFirst(specification.count)
            rest = rest.drop { "hlqzjtL".contains($0) }
            guard let conversion = rest.first else { break }
            rest = rest.dropFirst()
            let value = values.popFirst() ?? nil
            result += shown(value, conversion, String(specification), String(options))
        }
        return result + rest
    }

    private static func shown(
        _ value: Any?, _ conversion: Character, _ specification: String, _ options: String
    ) -> String {
        let words = options.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let isObject = conversion == "@" || conversion == "s" || conversion == "S"
        let privacy: OSLogPrivacy
        if words.contains("public") {
            privacy = .public
        } else if words.contains("private") || words.contains("sensitive") {
            privacy = .private
        } else {
            privacy = .auto
        }
        return privacy.shown(text(value, conversion, specification), isObject: isObject)
    }

    private static func text(_ value: Any?, _ conversion: Character, _ specification: String) -> String {
        guard let value else { return "(null)" }
        switch conversion {
        case "d", "i", "u":
            return specification.isEmpty ? "\(value)" : padded("\(value)", specification)
        case "x", "X", "o":
            guard let number = value as? any BinaryInteger else { return "\(value)" }
            return padded(
                String(number, radix: conversion == "o" ? 8 : 16, uppercase: conversion == "X"), specification)
        case "f", "F", "e", "g":
            let number = (value as? Double) ?? (value as? Float).map(Double.init)
            guard let number, specification.allSatisfy({ "0123456789.+- ".contains($0) }) else { return "\(value)" }
            return String(format: "%\(specification)\(conversion)", number)
        default: return "\(value)"
        }
    }

    private static func padded(_ text: String, _ specification: String) -> String {
        let width = min(Int(specification.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0, 64)
        let fill = specification.hasPrefix("0") ? "0" : " "
        return String(repeating: fill, count: max(0, width - text.count)) + text
    }
}
