// SPDX-License-Identifier: MIT

import Foundation
import PushKit
import Testing
import VirtualPhone

/// The ways to write a push delegate: each says on a slot which method was called.
private class TokenDelegate: NSObject, PKPushRegistryDelegate {
    let called = Slot<String>()
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        called.put("token \(pushCredentials.token.count) \(type == .voIP && pushCredentials.type == .voIP)")
    }
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        called.put("invalidated \(type.rawValue)")
    }
}
private final class PlainDelegate: NSObject, PKPushRegistryDelegate {
    let called = Slot<String>()
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) {
        called.put("plain")
    }
}
private final class BothDelegate: NSObject, PKPushRegistryDelegate {
    let called = Slot<String>()
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        called.put("typed \(payload.dictionaryPayload["call"] as? String ?? "-")")
        completion()
        completion()
    }
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        called.put("metadata \(metadata.mustReport)")
    }
}
private final class AsyncDelegate: NSObject, PKPushRegistryDelegate {
    let called = Slot<String>()
    let gate = Slot<Void>()
    let process: AppProcess
    init(process: AppProcess) {
        self.process = process
    }
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) async {
        process.send(.listCalls)  // Stands for a report made before the first suspension.
        called.put("typed async")
        await gate.take()
    }
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async {
        called.put("metadata async \(metadata.mustReport)")
        await gate.take()
    }
}
/// Has the new method as async and the older one with a completion handler.
private final class MixedDelegate: NSObject, PKPushRegistryDelegate {
    let called = Slot<String>()
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        called.put("typed")
    }
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async {
        called.put("metadata async")
    }
}

@Suite struct PushRegistryTests {
    private let app = TestApp { request in
        if case .pushToken = request { return .token(Data([1, 2])) }
        return .done
    }
    private let queue = DispatchQueue(label: "pushes")

    private func makeRegistry(_ delegate: any PKPushRegistryDelegate) -> (PKPushRegistry, UUID) {
        let registry = app.process.run { PKPushRegistry(queue: queue) }
        registry.delegate = delegate
        registry.desiredPushTypes = [.voIP]
        let id = app.registry
        app.phone.forget()
        return (registry, id)
    }

    private func push(mustReport: Bool?, type: String = "PKPushTypeVoIP") -> PushValue {
        PushValue(id: UUID(), type: type, payload: Data(#"{"call":"c1","aps":{}}"#.utf8), mustReport: mustReport)
    }

    @Test("K1, K2: registering, the token, and its end")
    func tokens() async {
        let delegate = TokenDelegate()
        let registry = app.process.run { PKPushRegistry(queue: queue) }
        #expect(registry.desiredPushTypes == nil)
        registry.delegate = delegate
        registry.desiredPushTypes = [.voIP, .fileProvider]
        let id = app.registry
        #expect(
            app.phone.requests == [
                .createPushRegistry(registry: id),
                .setDesiredPushTypes(registry: id, types: ["PKPushTypeFileProvider", "PKPushTypeVoIP"]),
            ])
        #expect(registry.desiredPushTypes == [.voIP, .fileProvider])
        #expect(registry.pushToken(for: .voIP) == Data([1, 2]))
        await app.deliver(.pushCredentials(registry: id, type: "PKPushTypeVoIP", token: Data([1, 2, 3])))
        await app.deliver(.pushTokenInvalidated(registry: id, type: "PKPushTypeVoIP"))
        #expect(delegate.called.all == ["token 3 true", "invalidated PKPushTypeVoIP"])
    }

    @Test("K8: before iOS 26.4 the older method is called; every call of its completion is told")
    func olderMethod() async {
        let delegate = BothDelegate()
        let (registry, id) = makeRegistry(delegate)
        let push = push(mustReport: nil)
        await app.deliver(.push(registry: id, push: push))
        #expect(delegate.called.all == ["typed c1"])
        #expect(
            app.phone.requests == [
                .pushCompleted(push: push.id), .pushCompleted(push: push.id), .pushHandlerReturned(push: push.id),
            ])
        withExtendedLifetime(registry) {}
    }

    @Test("K8: from iOS 26.4 on the method with metadata is called, for VoIP pushes")
    func newerMethod() async {
        let delegate = BothDelegate()
        let (registry, id) = makeRegistry(delegate)
        let push = push(mustReport: true)
        await app.deliver(.push(registry: id, push: push))
        #expect(app.phone.requests == [.pushHandlerReturned(push: push.id)])
        await app.deliver(.push(registry: id, push: self.push(mustReport: false)))
        await app.deliver(.push(registry: id, push: self.push(mustReport: true, type: "PKPushTypeFileProvider")))
        #expect(delegate.called.all == ["metadata true", "metadata false", "typed c1"])
        withExtendedLifetime(registry) {}
    }

    @Test("K8: an app without the newer method gets the older one on iOS 26.4 too")
    func fallbacks() async {
        let delegate = PlainDelegate()
        let (registry, id) = makeRegistry(delegate)
        let push = push(mustReport: true)
        await app.deliver(.push(registry: id, push: push))
        #expect(delegate.called.all == ["plain"])
        #expect(app.phone.requests == [.pushHandlerReturned(push: push.id)])
        withExtendedLifetime(registry) {}
    }

    @Test("K8: an async newer method comes before an older one with completion; its end completes the push")
    func mixedForms() async {
        let delegate = MixedDelegate()
        let (registry, id) = makeRegistry(delegate)
        let push = push(mustReport: true)
        await app.deliver(.push(registry: id, push: push))
        #expect(delegate.called.all == ["metadata async"])
        #expect(app.phone.requests == [.pushHandlerReturned(push: push.id), .pushCompleted(push: push.id)])
        await app.deliver(.push(registry: id, push: self.push(mustReport: nil)))
        #expect(delegate.called.all == ["metadata async", "typed"])
        withExtendedLifetime(registry) {}
    }

    @Test("K3: what an async method reports comes after the return, even before its first suspension")
    func asyncMethodsAreLate() async {
        let delegate = AsyncDelegate(process: app.process)
        let (registry, id) = makeRegistry(delegate)
        let push = push(mustReport: nil)
        await app.deliver(.push(registry: id, push: push))
        #expect(delegate.called.all == ["typed async"])
        #expect(app.phone.requests == [.pushHandlerReturned(push: push.id), .listCalls])
        delegate.gate.put(())
        while app.phone.requests.last != .pushCompleted(push: push.id) { await Task.yield() }
        #expect(app.phone.requests.count == 3)
        withExtendedLifetime(registry) {}
    }

    @Test("K8: an async method with metadata is chosen on iOS 26.4")
    func asyncWithMetadata() async {
        let delegate = AsyncDelegate(process: app.process)
        let (registry, id) = makeRegistry(delegate)
        let push = push(mustReport: false)
        await app.deliver(.push(registry: id, push: push))
        #expect(await delegate.called.take() == "metadata async false")
        #expect(app.phone.requests == [.pushHandlerReturned(push: push.id)])
        delegate.gate.put(())
        while app.phone.requests.last != .pushCompleted(push: push.id) { await Task.yield() }
        withExtendedLifetime(registry) {}
    }

    @Test func pushesThatNobodyTakesAreTold() async {
        var delegate: TokenDelegate? = TokenDelegate()
        let (registry, id) = makeRegistry(delegate ?? TokenDelegate())
        let first = push(mustReport: true)
        await app.deliver(.push(registry: id, push: first))
        delegate = nil
        let second = push(mustReport: nil)
        await app.deliver(.push(registry: id, push: second))
        #expect(app.phone.requests == [.pushNotHandled(push: first.id), .pushNotHandled(push: second.id)])
        withExtendedLifetime((registry, delegate)) {}
    }

    @Test("K1: a token that comes while there is no delegate is told to the phone; a later delegate can ask for it")
    func tokenWithoutDelegate() async {
        let registry = app.process.run { PKPushRegistry(queue: queue) }
        registry.desiredPushTypes = [.voIP]
        let id = app.registry
        app.phone.forget()
        await app.deliver(.pushCredentials(registry: id, type: "PKPushTypeVoIP", token: Data([1])))
        #expect(app.phone.requests == [.pushCredentialsNotHandled(registry: id)])
        #expect(registry.pushToken(for: .voIP) == Data([1, 2]))
        let delegate = TokenDelegate()
        registry.delegate = delegate
        await app.deliver(.pushCredentials(registry: id, type: "PKPushTypeVoIP", token: Data([1])))
        #expect(delegate.called.all == ["token 1 true"])
    }

    @Test("K1: without a queue the delegate is called on the main queue")
    func noQueueMeansMain() async {
        final class MainDelegate: NSObject, PKPushRegistryDelegate {
            let called = Slot<String>()
            func pushRegistry(
                _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
            ) {
                dispatchPrecondition(condition: .onQueue(.main))
                called.put("main")
            }
        }
        let registry = app.process.run { PKPushRegistry(queue: nil) }
        let delegate = MainDelegate()
        registry.delegate = delegate
        registry.desiredPushTypes = [.voIP]
        await app.deliver(.pushCredentials(registry: app.registry, type: "PKPushTypeVoIP", token: Data([1])))
        #expect(delegate.called.all == ["main"])
    }

    @Test("K1: a delegate that is released during its callback lives until the callback returns")
    func releasedDuringPush() async {
        final class Releasing: NSObject, PKPushRegistryDelegate {
            let release: @Sendable () -> Void
            let called = Slot<String>()
            init(release: @escaping @Sendable () -> Void) { self.release = release }
            func pushRegistry(
                _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
            ) {}
            func pushRegistry(
                _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
                completion: @escaping @Sendable () -> Void
            ) {
                release()
                called.put("after the release")
                completion()
            }
        }
        final class Holder: @unchecked Sendable { var delegate: Releasing? }
        let holder = Holder()
        let delegate = Releasing { holder.delegate = nil }
        holder.delegate = delegate
        let called = delegate.called
        let (registry, id) = makeRegistry(delegate)
        let push = push(mustReport: nil)
        await app.deliver(.push(registry: id, push: push))
        #expect(called.all == ["after the release"])
        #expect(app.phone.requests == [.pushCompleted(push: push.id), .pushHandlerReturned(push: push.id)])
        withExtendedLifetime(registry) {}
    }

    @Test("R56: a misspelt method is no method: the phone hears that nobody took the push")
    func misspelt() async {
        final class Misspelt: NSObject, PKPushRegistryDelegate {
            func pushRegistry(
                _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType
            ) {}
            func pushRegistry(
                _ registry: PKPushRegistry, didReceiveIncomingPush payload: PKPushPayload, for type: PKPushType,
                completion: @escaping @Sendable () -> Void
            ) {
                completion()
            }
        }
        let delegate = Misspelt()
        let (registry, id) = makeRegistry(delegate)
        for mustReport in [nil, true] {
            let push = push(mustReport: mustReport)
            await app.deliver(.push(registry: id, push: push))
            #expect(app.phone.requests.last == .pushNotHandled(push: push.id))
        }
        withExtendedLifetime((registry, delegate)) {}
    }

    @Test func aDeallocatedRegistryIsReleased() {
        let delegate = TokenDelegate()
        var (registry, id): (PKPushRegistry?, UUID) = makeRegistry(delegate)
        withExtendedLifetime(registry) {}
        registry = nil
        #expect(app.phone.requests == [.releasePushRegistry(registry: id)])
    }

    @Test func emptyObjectsCanBeMade() {
        #expect(PKPushCredentials().token.isEmpty && PKPushPayload().dictionaryPayload.isEmpty)
        #expect(!PKVoIPPushMetadata().mustReport)
        #expect(PKPushType(rawValue: "PKPushTypeVoIP") == .voIP)
    }
}
