// SPDX-License-Identifier: MIT

/// Where pushes go.
///
/// Apple's hosts are constants: no request can ever choose another.
public enum PushEndpoint: Hashable, Sendable {
    /// Apple's gateway for apps from TestFlight and the App Store.
    case production
    /// Apple's gateway for apps signed for development.
    case development
    /// Another gateway, such as the virtual one: its host, port and the PEM of the root to trust (nil: the system's).
    case custom(host: String, port: Int, roots: String?)

    /// The host to connect to, which the certificate must carry.
    public var host: String {
        switch self {
        case .production: "api.push.apple.com"
        case .development: "api.sandbox.push.apple.com"
        case .custom(let host, _, _): host
        }
    }

    /// The port to connect to.
    public var port: Int {
        switch self {
        case .production, .development: 443
        case .custom(_, let port, _): port
        }
    }

    /// The PEM of the roots to trust; nil: the system's.
    var roots: String? {
        switch self {
        case .production, .development: nil
        case .custom(_, _, let roots): roots
        }
    }

    var authority: String { port == 443 ? host : "\(host):\(port)" }
}
