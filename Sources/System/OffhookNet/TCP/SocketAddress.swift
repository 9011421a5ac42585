// SPDX-License-Identifier: MIT

import CUV
import Glibc

/// An IP address with a port.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    var family: Int32 { Int32(storage.ss_family) }

    init(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        let count = min(Int(length), MemoryLayout<sockaddr_storage>.size)
        let bytes = UnsafeRawBufferPointer(start: address, count: count)
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: bytes) }
        self.length = socklen_t(count)
    }

    /// The address that a function writes, such as getsockname; nil when it fails.
    init?(filledBy body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var count = length
        let status = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &count) }
        }
        guard status == 0 else { return nil }
        length = count
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The port, 0 for none.
    var port: Int {
        withPointer { address, _ in
            let raw = UnsafeRawPointer(address)
            switch family {
            case AF_INET: return Int(UInt16(bigEndian: raw.load(as: sockaddr_in.self).sin_port))
            case AF_INET6: return Int(UInt16(bigEndian: raw.load(as: sockaddr_in6.self).sin6_port))
            default: return 0
            }
        }
    }

    /// The numeric address without the port.
    var host: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            let status = withPointer { address, _ in
                let raw = UnsafeRawPointer(address)
                return switch family {
                case AF_INET: uv_ip4_name(raw.assumingMemoryBound(to: sockaddr_in.self), text.baseAddress, text.count)
                case AF_INET6:
                    uv_ip6_name(raw.assumingMemoryBound(to: sockaddr_in6.self), text.baseAddress, text.count)
                default: UV_EINVAL.rawValue
                }
            }
            guard status == 0, let start = text.baseAddress else { return "" }
            return String(cString: start)
        }
    }

    /// Host and port as in a URL.
    var description: String {
        family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    /// The addresses of a getaddrinfo result, in its order.
    static func list(_ result: UnsafeMutablePointer<addrinfo>?) -> [SocketAddress] {
        var addresses: [SocketAddress] = []
        var next = result
        while let entry = next {
            if let address = entry.pointee.ai_addr {
                addresses.append(SocketAddress(address, length: entry.pointee.ai_addrlen))
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    /// The addresses of a numeric host without asking DNS; empty for a name.
    static func numeric(_ host: String, port: Int) -> [SocketAddress] {
        lookUp(host, port: port, flags: AI_NUMERICHOST | AI_NUMERICSERV).addresses
    }

    /// Resolves a host name, waiting for the answer.
    static func lookUp(_ host: String, port: Int, flags: Int32) -> (addresses: [SocketAddress], status: Int32) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = flags
        var result: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &result)
        defer { if let result { freeaddrinfo(result) } }
        return (status == 0 ? list(result) : [], status)
    }
}
