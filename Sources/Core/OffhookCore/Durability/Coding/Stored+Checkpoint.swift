// SPDX-License-Identifier: MIT

extension ByteWriter {
    mutating func write(_ checkpoint: Checkpoint) {
        reserve(256 + checkpoint.endedCalls.count * 25 + checkpoint.operations.completed.count * 54)
        write(checkpoint.generation)
        write(checkpoint.savedAt)
        write(checkpoint.serverAhead.milliseconds)
        write(list: checkpoint.liveCalls) { $0.write($1) }
        write(list: checkpoint.endedCalls) {
            $0.write($1.call)
            $0.write($1.at)
            $0.write(code: $1.reason)
        }
        write(list: checkpoint.owedSignals) { $0.write($1) }
        write(list: checkpoint.operations.pending) {
            $0.write($1.id)
            $0.write($1.command)
            $0.write($1.deadline)
            $0.write($1.isTried)
            $0.write($1.tonesLeft)
        }
        write(completed: checkpoint.operations.completed)
    }

    private mutating func write(_ call: Checkpoint.LiveCall) {
        write(call.id)
        write(code: call.direction)
        write(call.details)
        write(call.createdAt)
        write(call.ringUntil)
        write(call.answeredAt)
        write(call.connectedAt)
        write(call.isShown)
        write(call.isKnownToServer)
    }

    /// Results name their messages by number, because few messages serve many results; 0 is no failure.
    private mutating func write(completed: ArraySlice<OperationLog.Completed>) {
        var messages: [String] = []
        var numbers: [String: UInt32] = [:]
        for entry in completed {
            guard let message = entry.result.failure?.message, numbers[message] == nil else { continue }
            messages.append(message)
            numbers[message] = UInt32(messages.count)
        }
        write(list: messages) { $0.write($1) }
        write(list: completed) {
            let result = $1.result
            $0.write(result.id)
            $0.write($1.fingerprint)
            $0.write(result.call)
            $0.write(result.completedAt)
            $0.write(result.failure.flatMap { numbers[$0.message] } ?? 0)
            $0.write(code: result.status)
            $0.write(result.failure?.code.code ?? 0)
        }
    }
}

extension ByteReader {
    mutating func checkpoint() throws(CheckpointError) -> Checkpoint {
        var checkpoint = Checkpoint(generation: try generation(), savedAt: try instant())
        checkpoint.serverAhead = .milliseconds(try number(Int64.self))
        checkpoint.liveCalls = try list(size: 40) { (reader: inout ByteReader) throws(CheckpointError) in
            try reader.liveCall()
        }
        checkpoint.endedCalls = try list(size: 25) { (reader: inout ByteReader) throws(CheckpointError) in
            let call = try reader.callID()
            let at = try reader.instant()
            return Checkpoint.EndedCall(call, try reader.code(), at: at)
        }
        checkpoint.owedSignals = try list(size: 25) { (reader: inout ByteReader) throws(CheckpointError) in
            try reader.owedSignal()
        }
        let pending = try list(size: 46) { (reader: inout ByteReader) throws(CheckpointError) in
            let id = try reader.operationID()
            let command = try reader.command()
            var pending = PendingCommand(id: id, command: command, deadline: try reader.instant())
            pending.isTried = try reader.flag()
            pending.tonesLeft = try reader.text()
            return pending
        }
        checkpoint.operations = OperationLog(pending: pending, completed: try completed())
        return checkpoint
    }

    private mutating func liveCall() throws(CheckpointError) -> Checkpoint.LiveCall {
        let id = try callID()
        let direction = try code(Call.Direction.self)
        let details = try details()
        return Checkpoint.LiveCall(
            id: id, direction: direction, details: details, createdAt: try instant(),
            ringUntil: try optionalInstant(), answeredAt: try optionalInstant(), connectedAt: try optionalInstant(),
            isShown: try flag(), isKnownToServer: try flag())
    }

    private mutating func completed() throws(CheckpointError) -> [OperationLog.Completed] {
        let messages = try list(size: 4) { (reader: inout ByteReader) throws(CheckpointError) in try reader.text() }
        return try list(size: 54) { (reader: inout ByteReader) throws(CheckpointError) in
            let id = try reader.operationID()
            let fingerprint = try reader.number(UInt64.self)
            let call = try reader.callID()
            let at = try reader.instant()
            let message = Int(try reader.number(UInt32.self))
            let status = try reader.code(OperationResult.Status.self)
            let code = try reader.number(UInt8.self)
            var failure: CallFailure?
            if message > 0 || code > 0 {
                guard message > 0, message <= messages.count, let code = CallFailure.Code(code: code) else {
                    throw .damaged
                }
                failure = CallFailure(code, messages[message - 1])
            }
            return OperationLog.Completed(
                fingerprint: fingerprint, result: OperationResult(id, call: call, status, failure: failure, at: at))
        }
    }
}
