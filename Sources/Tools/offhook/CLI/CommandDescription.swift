// SPDX-License-Identifier: MIT

/// One option of a command.
struct OptionDescription: Sendable {
    /// The name without dashes.
    var name: String
    /// What the value is called in the help, or nil for a switch without a value.
    var value: String?
    /// What it does, with units, range and default.
    var help: String
    /// Whether it may be given several times.
    var repeats = false
}

/// What a command takes besides its options, by place.
struct ArgumentDescription: Sendable {
    /// What it is called in the help, such as `FILE`.
    var name: String
    /// What it is.
    var help: String
    /// Whether it may be left out.
    var isOptional = false
    /// Whether any number may be given; only for the last one.
    var repeats = false
}

/// What a command is, for the parser and for its help.
struct CommandDescription: Sendable {
    /// One example: a command line and what it is good for.
    struct Example: Sendable {
        /// What to type.
        var line: String
        /// What it does.
        var meaning: String
    }

    /// The word after `offhook`, or two words for a command of a group: `directory compile`.
    var name: String
    /// One line.
    var summary: String
    /// A paragraph or two; wrapped for display.
    var discussion: String
    /// What it takes besides its options.
    var arguments: [ArgumentDescription] = []
    /// Its options.
    var options: [OptionDescription]
    /// What to try.
    var examples: [Example]

    /// The option `--help`, which every command has.
    static let help = OptionDescription(name: "help", help: "Prints this.")
}

/// The options found on a command line.
struct ParsedOptions: Hashable {
    /// The command's name, for messages.
    var command: String
    /// Every value given for an option, in order; a switch has one empty value.
    var values: [String: [String]] = [:]
    /// What was given besides options, in order.
    var arguments: [String] = []

    /// Whether a switch or option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The last value given.
    func string(_ name: String) -> String? { values[name]?.last }

    /// The last value as a whole number within a range.
    func integer<Value: FixedWidthInteger & Sendable>(_ name: String, in range: ClosedRange<Value>) throws -> Value? {
        guard let text = string(name) else { return nil }
        guard let number = Value(text), range.contains(number) else {
            throw UsageError(
                message: "--\(name) takes a whole number, \(range.lowerBound) to \(range.upperBound), not '\(text)'",
                hint: "See: offhook \(command) --help")
        }
        return number
    }

    /// The last value as one of a few words.
    func choice<Value: RawRepresentable & CaseIterable>(_ name: String) throws -> Value?
    where Value.RawValue == String {
        guard let text = string(name) else { return nil }
        if let choice = Value(rawValue: text) { return choice }
        let words = Value.allCases.map(\.rawValue)
        let meant = Suggestion.nearest(to: text, among: words).map { "Did you mean '\($0)'?" }
        throw UsageError(
            message: "--\(name) takes \(words.joined(separator: ", ")), not '\(text)'",
            hint: meant ?? "See: offhook \(command) --help")
    }
}

extension CommandDescription {
    /// The command's words as they are typed: options and arguments by their names.
    var usage: String {
        (["offhook", name] + (options.isEmpty ? [] : ["[OPTIONS]"])
            + arguments.map { argument in
                let name = argument.name + (argument.repeats ? " ..." : "")
                return argument.isOptional ? "[\(name)]" : name
            }).joined(separator: " ")
    }

    /// Reads a command's options and arguments.
    ///
    /// An option is `--name value`, `--name=value` or a switch `--name`; arguments may stand before, between and after
    /// options. What follows `--` is an argument, and so is `-`.
    ///
    /// - Throws: ``UsageError`` with a suggestion for what is unknown, missing or given twice.
    func parse(_ arguments: [String]) throws(UsageError) -> ParsedOptions {
        let all = options + [Self.help]
        var parsed = ParsedOptions(command: name)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "-h" {
                parsed.values["help"] = [""]
                continue
            }
            if argument == "--" {
                parsed.arguments += rest
                break
            }
            guard argument.hasPrefix("--") else {
                guard !self.arguments.isEmpty else {
                    throw UsageError(
                        message: "'\(argument)' is not an option of offhook \(name)",
                        hint: "See: offhook \(name) --help")
                }
                parsed.arguments.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let word = parts.first.map(String.init) ?? ""
            guard let option = all.first(where: { $0.name == word }) else {
                let meant = Suggestion.nearest(to: word, among: all.map(\.name))
                throw UsageError(
                    message: "offhook \(name) has no option --\(word)",
                    hint: meant.map { "Did you mean --\($0)?" } ?? "See: offhook \(name) --help")
            }
            var value = parts.count > 1 ? String(parts[1]) : nil
            if let placeholder = option.value {
                if value == nil, let next = rest.first, !next.hasPrefix("--") { value = rest.popFirst() }
                guard let value, !value.isEmpty else {
                    throw UsageError(
                        message: "--\(word) needs a value", hint: "Write: offhook \(name) --\(word) \(placeholder)")
                }
                if parsed.has(word), !option.repeats {
                    throw UsageError(message: "--\(word) is given twice", hint: nil)
                }
                parsed.values[word, default: []].append(value)
            } else {
                guard value == nil else {
                    throw UsageError(message: "--\(word) takes no value", hint: "Write: offhook \(name) --\(word)")
                }
                parsed.values[word] = [""]
            }
        }
        try check(parsed)
        return parsed
    }

    /// Whether as many arguments are there as the command takes.
    private func check(_ parsed: ParsedOptions) throws(UsageError) {
        guard !parsed.has("help") else { return }
        let required = arguments.filter { !$0.isOptional }
        if parsed.arguments.count < required.count {
            throw UsageError(
                message: "\(required[parsed.arguments.count].name) is missing", hint: "Write: \(usage)")
        }
        if parsed.arguments.count > arguments.count, arguments.last?.repeats != true {
            throw UsageError(
                message: "'\(parsed.arguments[arguments.count])' is one argument too many", hint: "Write: \(usage)")
        }
    }
}
