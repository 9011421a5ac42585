// SPDX-License-Identifier: MIT

import OffhookNet

/// Sends VoIP pushes through APNs, or a stand-in for it.
enum APNsGateway {
    static func make(_ push: ServerConfiguration.Push) throws(ServerError) -> any PushGateway {
        let pem = try TextFile.read(push.keyFile, as: "The APNs key", code: .pushKey)
        do {
            _ = try ES256PrivateKey(pem: pem, name: push.keyFile)
        } catch {
            throw ServerError(.pushKey, error.message)
        }
        throw ServerError(.pushKey, "Pushes are not sent yet.")
    }
}
