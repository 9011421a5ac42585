// SPDX-License-Identifier: MIT

/// Names a task for which an app asked for time in the background (K11, R80).
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: Int

    /// Makes an identifier.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No task: no time was given.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// What came of a fetch in the background.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// There is something new.
    case newData = 0
    /// There is nothing new.
    case noData = 1
    /// It failed.
    case failed = 2
}

/// Which ways of holding the phone the app supports.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// The bits.
    public var rawValue: UInt

    /// Makes a set.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Upright.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 1 << 1)
    /// Upside down.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 1 << 2)
    /// On its right side.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 1 << 3)
    /// On its left side.
    public static let landscapeLeft = UIInterfaceOrientationMask(rawValue: 1 << 4)
    /// On a side.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// Every way.
    public static let all: UIInterfaceOrientationMask = [.portrait, .landscape, .portraitUpsideDown]
    /// Every way but upside down.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
}
