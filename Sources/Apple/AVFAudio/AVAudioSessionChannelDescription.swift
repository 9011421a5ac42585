// SPDX-License-Identifier: MIT

public import Foundation

/// The place of a channel, as audio frameworks number them.
public typealias AudioChannelLabel = UInt32

/// One channel of a port.
open class AVAudioSessionChannelDescription: NSObject {
    private let port: String
    private let number: Int

    /// The channel's name.
    open var channelName: String { "\(port) \(number)" }
    /// The port's identifier.
    open var owningPortUID: String { port }
    /// The channel's number in the port, from 1 on.
    open var channelNumber: Int { number }
    /// The channel's place: mono.
    open var channelLabel: AudioChannelLabel { 42 }

    init(port: String, number: Int) {
        self.port = port
        self.number = number
    }
}
