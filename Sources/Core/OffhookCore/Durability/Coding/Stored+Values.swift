// SPDX-License-Identifier: MIT

// The values that checkpoint and journal share; what is written by one function is read by the one beside it.

extension ByteWriter {
    mutating func write(_ id: CallID) {
        write(id.high)
        write(id.low)
    }

    mutating func write(_ id: OperationID) {
        write(id.high)
        write(id.low)
    }

    mutating func write(_ instant: Instant) {
        write(instant.milliseconds)
    }

    mutating func write(_ instant: Instant?) {
        write(optional: instant) { $0.write($1) }
    }

    mutating func write(_ handle: Handle) {
        write(code: handle.kind)
        write(handle.value)
    }

    mutating func write(_ details: CallDetails) {
        write(details.handle)
        write(optional: details.displayName) { $0.write($1) }
        write(details.video)
    }

    mutating func write(_ generation: AccountGeneration) {
        write(generation.account)
        write(Int64(generation.number))
    }

    mutating func write(_ failure: CallFailure?) {
        write(optional: failure) {
            $0.write(code: $1.code)
            $0.write($1.message)
        }
    }

    mutating func write(_ result: OperationResult) {
        write(result.id)
        write(result.call)
        write(code: result.status)
        write(result.failure)
        write(result.completedAt)
    }
}

extension ByteReader {
    mutating func callID() throws(CheckpointError) -> CallID {
        CallID(high: try number(), low: try number())
    }

    mutating func operationID() throws(CheckpointError) -> OperationID {
        OperationID(high: try number(), low: try number())
    }

    mutating func instant() throws(CheckpointError) -> Instant {
        Instant(milliseconds: try number())
    }

    mutating func optionalInstant() throws(CheckpointError) -> Instant? {
        try flag() ? try instant() : nil
    }

    mutating func optionalText() throws(CheckpointError) -> String? {
        try flag() ? try text() : nil
    }

    mutating func handle() throws(CheckpointError) -> Handle {
        Handle(kind: try code(), value: try text())
    }

    mutating func details() throws(CheckpointError) -> CallDetails {
        CallDetails(handle: try handle(), displayName: try optionalText(), video: try flag())
    }

    mutating func generation() throws(CheckpointError) -> AccountGeneration {
        AccountGeneration(account: try text(), number: Int(try number(Int64.self)))
    }

    mutating func failure() throws(CheckpointError) -> CallFailure? {
        try flag() ? CallFailure(try code(), try text()) : nil
    }

    mutating func result() throws(CheckpointError) -> OperationResult {
        let id = try operationID()
        let call = try callID()
        let status = try code(OperationResult.Status.self)
        let failure = try failure()
        return OperationResult(id, call: call, status, failure: failure, at: try instant())
    }
}
