// SPDX-License-Identifier: MIT

import OffhookDirectory

/// `offhook directory lookup`.
struct DirectoryLookupCommand {
    private let path: String
    private let numbers: [String]
    private let region: PhoneRegion?
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory lookup",
        summary: "Says what a directory file says about numbers.",
        discussion: "Exits with 1 when a number is not in the file.",
        arguments: [
            ArgumentDescription(name: "FILE", help: "A directory file."),
            ArgumentDescription(
                name: "NUMBER", help: "A number with its country code, or see --region.", repeats: true),
        ],
        options: [
            OptionDescription(
                name: "region", value: "CODE", help: "Whose numbers have no country code: two letters of ISO 3166."),
            DirectoryCommands.json,
        ],
        examples: [
            .init(
                line: "offhook directory lookup spam.directory +4930123456", meaning: "blocked, named, both or neither"),
            .init(
                line: "offhook directory lookup spam.directory 030123456 --region DE",
                meaning: "as it is dialled at home"),
        ])

    init(_ parsed: ParsedOptions) throws {
        path = parsed.arguments[0]
        numbers = Array(parsed.arguments.dropFirst())
        isJSON = parsed.has("json")
        if let code = parsed.string("region") {
            guard let region = PhoneRegion(code) else {
                throw UsageError(message: "there is no region '\(code)'", hint: "Write two letters, such as DE")
            }
            self.region = region
        } else {
            region = nil
        }
    }

    private struct Answer: Encodable {
        var number: Int64
        var isListed: Bool
        var blocked: Bool
        var labels: [String]
    }

    /// Prints one line a number.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        let file = try DirectoryCommands.open(path)
        let parser = PhoneNumberParser(
            options: PhoneNumberOptions(
                defaultRegion: region, digitsAreInternational: region == nil,
                internationalPrefix: .ofRegionOrDoubleZero))
        var answers: [Answer] = []
        for text in numbers {
            let number: PhoneNumber
            do throws(PhoneNumberError) {
                number = try parser.parse(text)
            } catch {
                throw UsageError(
                    message: "'\(text)': \(error.description)", hint: "Write +49 30 123456, or give --region DE")
            }
            let found = try file.attributes(of: number.rawValue)
            answers.append(
                Answer(
                    number: number.rawValue, isListed: found != nil, blocked: found?.blocked ?? false,
                    labels: found?.labels ?? []))
        }
        if isJSON {
            try DirectoryCommands.print(answers, terminal)
        } else {
            for answer in answers {
                let parts = (answer.blocked ? ["blocked"] : []) + answer.labels.map { "“\($0)”" }
                terminal.line("+\(answer.number)  " + (answer.isListed ? parts.joined(separator: ", ") : "not listed"))
            }
        }
        return answers.allSatisfy(\.isListed) ? .success : .verificationFailed
    }
}
