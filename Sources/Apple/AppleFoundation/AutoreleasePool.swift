// SPDX-License-Identifier: MIT

/// Runs a closure; Swift on Linux has no autoreleased objects, so there is no pool to drain.
@discardableResult
public func autoreleasepool<Failure: Error, Result>(
    invoking body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try body()
}
