// SPDX-License-Identifier: MIT

import CallKit
import Foundation

/// A Call Directory extension that reads its list in the way its first argument says, from the file of the second.
final class FixtureProvider: CXCallDirectoryProvider, CXCallDirectoryExtensionContextDelegate {
    /// One entry of a list as many apps keep it.
    struct Entry: Codable {
        var number: Int64
        var label: String
    }

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        context.delegate = self
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.first {
            case "codable": try addDecoded(at: arguments.last ?? "", to: context)
            case "stream": try addStreamed(from: arguments.last ?? "", to: context)
            case "crash": abort()
            case "exit": exit(3)
            case "remove": context.removeAllBlockingEntries()
            default: break
            }
        } catch {
            return context.cancelRequest(withError: error)
        }
        context.completeRequest()
    }

    func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error) {}

    /// The whole list in memory, as objects.
    private func addDecoded(at path: String, to context: CXCallDirectoryExtensionContext) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        for entry in try JSONDecoder().decode([Entry].self, from: data) {
            context.addIdentificationEntry(withNextSequentialPhoneNumber: entry.number, label: entry.label)
        }
    }

    /// A line at a time: number, space, label.
    private func addStreamed(from path: String, to context: CXCallDirectoryExtensionContext) throws {
        guard let file = fopen(path, "r") else { throw CocoaError(.fileNoSuchFile) }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0, let text = line {
            var label: UnsafeMutablePointer<CChar>?
            let number = strtoll(text, &label, 10)
            guard let label else { continue }
            context.addIdentificationEntry(
                withNextSequentialPhoneNumber: Int64(number),
                label: String(cString: label).trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }
}
