// SPDX-License-Identifier: MIT

public import Foundation

/// A line for the log: a string literal, whose values can say how they are shown.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// Makes a line from an interpolation.
    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }

    /// Makes a line without values.
    public init(stringLiteral value: String) {
        text = value
    }
}

/// What the compiler makes of the values in an ``OSLogMessage``.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    /// Begins a line.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds text that is always shown.
    public mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    /// Adds a string, hidden unless it is public.
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure () -> String, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += align.apply(privacy.shown(argumentString(), isObject: true))
    }

    /// Adds a whole number.
    public mutating func appendInterpolation<Number: FixedWidthInteger>(
        _ number: @autoclosure () -> Number, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.apply(privacy.shown(format.apply(number()), isObject: false))
    }

    /// Adds a number with a fraction.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Double, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.apply(privacy.shown(format.apply(number()), isObject: false))
    }

    /// Adds a number with a fraction.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Float, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.apply(privacy.shown(format.apply(Double(number())), isObject: false))
    }

    /// Adds a truth value.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
    ) {
        let value = boolean()
        let shown: String
        switch format {
        case .truth: shown = value ? "true" : "false"
        case .answer: shown = value ? "YES" : "NO"
        }
        text += privacy.shown(shown, isObject: false)
    }

    /// Adds an error, hidden unless it is public.
    public mutating func appendInterpolation(
        _ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown("\(error())", isObject: true)
    }

    /// Adds an object, hidden unless it is public.
    public mutating func appendInterpolation(
        _ object: @autoclosure () -> NSObject?, privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.shown(object().map { "\($0)" } ?? "(null)", isObject: true)
    }

    /// Adds a value that has a description, hidden unless it is public.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        text += align.apply(privacy.shown(value().description, isObject: true))
    }

    /// Adds a type's name.
    public mutating func appendInterpolation(_ type: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto) {
        text += privacy.shown("\(type())", isObject: false)
    }
}
