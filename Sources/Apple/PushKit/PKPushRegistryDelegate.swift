// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Receives the push token and pushes.
///
/// Called on the registry's queue.
///
/// Of the methods for a push the phone calls one: the one with metadata if the system has it (26.4) and the delegate
/// implements it, else the one with a type, else the one without completion (K8). Each of the first two may be written
/// with a completion handler or as an async method. An async method is started as a task while the phone's check for a
/// reported call comes at once (K3): a required report made in it is too late, on an iPhone as here.
public protocol PKPushRegistryDelegate: NSObjectProtocol {
    /// The phone has a token, which the app sends to its server (K1).
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType)
    /// A push arrived; for systems before iOS 11.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType)
    /// A push arrived; a call must be reported before this method returns (K3).
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void)
    /// A push arrived.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType) async
    /// A VoIP push arrived (26.4); where `mustReport` is true, a call must be reported before this method returns (K8).
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void)
    /// A VoIP push arrived (26.4).
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async
    /// The token is dead: the app tells its server (K2).
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)
}

/// The methods of which a delegate implements one; names for ``DelegateProbe``.
enum PushMethod: String {
    /// Without completion, before iOS 11.
    case plain
    /// With a type and a completion handler.
    case typed
    /// With a type, async.
    case typedAsync
    /// With metadata and a completion handler.
    case metadata
    /// With metadata, async.
    case metadataAsync
}

extension PKPushRegistryDelegate {
    /// Tells the phone that the delegate lacks this method.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) {
        DelegateProbe.markDefault(PushMethod.plain.rawValue, of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        DelegateProbe.markDefault(PushMethod.typed.rawValue, of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload, for type: PKPushType
    ) async {
        DelegateProbe.markDefault(PushMethod.typedAsync.rawValue, of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata, withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        DelegateProbe.markDefault(PushMethod.metadata.rawValue, of: self)
    }
    /// Tells the phone that the delegate lacks this method.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload, metadata: PKVoIPPushMetadata
    ) async {
        DelegateProbe.markDefault(PushMethod.metadataAsync.rawValue, of: self)
    }
    /// Does nothing.
    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {}
}
