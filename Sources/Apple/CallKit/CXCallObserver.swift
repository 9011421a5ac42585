// SPDX-License-Identifier: MIT

public import Dispatch
public import Foundation
import VirtualPhone

/// Hears of changes of calls.
public protocol CXCallObserverDelegate: NSObjectProtocol {
    /// A call of the phone appeared, connected, was held or taken off hold, or ended (C2).
    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall)
}

/// Watches the calls of the whole phone, those of other apps included; tells nothing of who calls (C1).
open class CXCallObserver: NSObject {
    private let core: CallObserverCore

    /// Makes an observer.
    ///
    /// - Precondition: A phone runs the app.
    public override init() {
        core = CallObserverCore(process: .required(for: "CXCallObserver"))
        super.init()
        core.state.withLock { $0.observer = self }
    }

    /// The calls that live now; asks the phone.
    open var calls: [CXCall] { core.calls }

    /// Sets the delegate, which is not retained, and its queue; nil means the main queue.
    open func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue?) {
        core.setDelegate(delegate, queue: queue ?? .main)
    }

    deinit {
        core.stop()
    }
}

/// An observer's end of the boundary.
final class CallObserverCore: Sendable {
    struct State {
        weak var observer: CXCallObserver?
        weak var delegate: (any CXCallObserverDelegate)?
    }

    let process: AppProcess
    let id = UUID()
    let state = Locked(State())

    init(process: AppProcess) {
        self.process = process
    }

    var calls: [CXCall] {
        guard case .calls(let calls) = process.send(.listCalls) else { return [] }
        return calls.map(CXCall.init)
    }

    func setDelegate(_ delegate: (any CXCallObserverDelegate)?, queue: DispatchQueue) {
        state.withLock { $0.delegate = delegate }
        guard delegate != nil else { return stop() }
        process.attach(id, queue: queue) { [self] event in
            guard case .callChanged(_, let call) = event else { return }
            let (observer, delegate) = state.withLock { ($0.observer, $0.delegate) }
            guard let observer, let delegate else { return }
            delegate.callObserver(observer, callChanged: CXCall(call))
        }
        process.send(.observeCalls(observer: id))
    }

    func stop() {
        process.detach(id)
        process.send(.stopObservingCalls(observer: id))
    }
}
