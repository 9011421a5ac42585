// SPDX-License-Identifier: MIT

import CUV

extension NetError {
    /// Makes an error of libuv's negative error number; the sentence before says what failed.
    static func system(_ status: Int32, _ what: String) -> NetError {
        let words = String(cString: uv_strerror(status))
        switch status {
        case UV_EADDRINUSE.rawValue: return NetError(.addressInUse, "\(what): the address is already in use.")
        case UV_EADDRNOTAVAIL.rawValue:
            return NetError(.invalidArgument, "\(what): this machine does not have that address.")
        case UV_EACCES.rawValue, UV_EPERM.rawValue: return NetError(.notPermitted, "\(what): \(words).")
        case UV_ECONNREFUSED.rawValue:
            return NetError(.connectionRefused, "\(what): nothing listens there. Is the server running?")
        case UV_ECONNRESET.rawValue, UV_EPIPE.rawValue, UV_ECONNABORTED.rawValue:
            return NetError(.connectionReset, "\(what): the peer cut the connection (\(words)).")
        case UV_ENETUNREACH.rawValue, UV_EHOSTUNREACH.rawValue, UV_ENETDOWN.rawValue:
            return NetError(.unreachable, "\(what): \(words). Check the network.")
        case UV_ETIMEDOUT.rawValue: return NetError(.timedOut, "\(what): no answer in time.")
        case UV_EMFILE.rawValue, UV_ENFILE.rawValue:
            return NetError(.resources, "\(what): no file descriptors left. Raise the limit (ulimit -n).")
        case UV_ENOMEM.rawValue, UV_ENOBUFS.rawValue, UV_EAGAIN.rawValue:
            return NetError(.resources, "\(what): \(words).")
        case UV_EAI_NONAME.rawValue, UV_EAI_NODATA.rawValue, UV_EAI_AGAIN.rawValue, UV_EAI_FAIL.rawValue,
            UV_EAI_FAMILY.rawValue, UV_EAI_ADDRFAMILY.rawValue:
            return NetError(.dns, "\(what): the host name cannot be resolved (\(words)). Check the name and DNS.")
        case UV_ECANCELED.rawValue: return NetError(.closed, "\(what): closed meanwhile.")
        default: return NetError(.system, "\(what): \(words).")
        }
    }
}
