// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet

/// The folder of `offhook apns`: certificate, provider key and device token, made when missing and kept for the next start.
struct ApnsFolder {
    /// The folder's path.
    let path: String

    /// The certificate that senders trust.
    var certificateFile: String { path + "/root.pem" }
    /// That certificate's key.
    var certificateKeyFile: String { path + "/root-key.pem" }
    /// A device token, one line.
    var tokenFile: String { path + "/device-token" }
    /// Addresses, files and ids as JSON, for scripts; written at each start.
    var addressFile: String { path + "/gateway.json" }

    /// Makes the folder, for this user alone, when it is missing.
    init(_ path: String) throws(EnvironmentError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw EnvironmentError(message: "the folder \(path) cannot be made: \(error.localizedDescription)")
        }
    }

    /// Where a key that is made here lies.
    func keyFile(_ id: String) -> String { path + "/AuthKey_\(id).p8" }

    /// The certificate for a host; the one of the last start when there is one.
    func certificate(host: String) throws -> Certificate {
        if let certificate = try? read(certificateFile), let key = try? read(certificateKeyFile) {
            return Certificate(certificatePEM: certificate, keyPEM: key)
        }
        var hosts = ["localhost", "127.0.0.1", "::1"]
        // Listening on all addresses is no name to connect to.
        if !hosts.contains(host), !["0.0.0.0", "::"].contains(host) { hosts.append(host) }
        let certificate = try Certificate.selfSigned(hosts: hosts)
        try write(certificate.certificatePEM, to: certificateFile)
        try write(certificate.keyPEM, to: certificateKeyFile)
        return certificate
    }

    /// The provider key of an id, made when missing.
    func providerKey(_ id: String) throws -> ES256PrivateKey {
        let file = keyFile(id)
        if FileManager.default.fileExists(atPath: file) { return try ES256PrivateKey(path: file) }
        let key = try ES256PrivateKey.generate()
        try write(key.pem, to: file)
        return key
    }

    /// A device token, made when missing; longer than 64 digits, since Apple does not promise their number.
    func deviceToken() throws -> String {
        if let token = try? read(tokenFile).trimmingCharacters(in: .whitespacesAndNewlines), !token.isEmpty {
            return token
        }
        let digits = SecureRandom.bytes(40).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }
        let token = digits.joined()
        try write(token + "\n", to: tokenFile)
        return token
    }

    /// Reads a text file.
    func read(_ file: String) throws(EnvironmentError) -> String {
        do {
            return try String(contentsOfFile: file, encoding: .utf8)
        } catch {
            throw EnvironmentError(message: "\(file) cannot be read: \(error.localizedDescription)")
        }
    }

    /// Writes a file that this user alone can read.
    func write(_ text: String, to file: String) throws(EnvironmentError) {
        let isWritten = FileManager.default.createFile(
            atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw EnvironmentError(message: "\(file) cannot be written; name another --folder") }
    }
}
