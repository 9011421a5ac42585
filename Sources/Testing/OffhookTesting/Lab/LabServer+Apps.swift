// SPDX-License-Identifier: MIT

public import Offhook
public import VirtualPhone

extension LabServer {
    /// The way to the server for an app of your own on a phone, signed in as a user.
    ///
    /// - Parameters:
    ///   - user: The user's name; nobody asks for a password.
    ///   - phone: The phone; its name is the device's id.
    /// - Returns: A transport for the app's call center.
    public func transport(for user: String, on phone: VirtualPhone) -> any SignalTransport {
        let name = phone.configuration.name
        return transport(for: BrokerParty(user: user, device: name), phone: name)
    }
}
