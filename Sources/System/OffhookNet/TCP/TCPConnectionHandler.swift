// SPDX-License-Identifier: MIT

/// Is told what happens on a TCP connection; every call comes on the loop's thread.
public protocol TCPConnectionHandler: AnyObject {
    /// The connection is up, the TLS handshake included. Not called when the connection never comes to be.
    func connectionOpened(_ connection: TCPConnection)
    /// Plain bytes came; the buffer is valid during the call alone.
    func connection(_ connection: TCPConnection, received bytes: UnsafeRawBufferPointer)
    /// Everything written has gone to the operating system, after some had to wait.
    func connectionDrained(_ connection: TCPConnection)
    /// The peer will send nothing more but still reads. Closes the connection unless implemented.
    func connectionEnded(_ connection: TCPConnection)
    /// The connection is over: the last call, made once. Nil after a close that this end or the peer wanted.
    func connectionClosed(_ connection: TCPConnection, error: NetError?)
}

extension TCPConnectionHandler {
    /// Does nothing.
    public func connectionOpened(_ connection: TCPConnection) {}
    /// Does nothing.
    public func connectionDrained(_ connection: TCPConnection) {}
    /// Closes this end too.
    public func connectionEnded(_ connection: TCPConnection) {
        connection.close()
    }
}
