// SPDX-License-Identifier: Apache-2.0

import EditHost
import Glibc
import NIOCore

/// A TCP port that is free on an address for other machines.
enum ListeningPort {
    /// Returns a free port of an address.
    ///
    /// - Parameter requested: The port; 0 for any.
    /// - Throws: `HostError` with `busy` if the port is in use, or `badParameter` if the address cannot be used.
    static func free(requesting requested: Int, on address: String) throws(HostError) -> Int {
        let resolved: SocketAddress
        do {
            resolved = try SocketAddress.makeAddressResolvingHost(address, port: requested)
        } catch {
            throw HostError(
                .badParameter, "\(address) is not an address; give one of this machine to --listen")
        }
        switch bind(resolved) {
        case .success(let port): return port
        case .failure(let error) where error.code == EADDRINUSE:
            throw HostError(
                .busy,
                requested == 0
                    ? "no port is free on \(address)"
                    : "port \(requested) is in use on \(address); choose another one with --port")
        case .failure(let error):
            throw HostError(
                .badParameter,
                "cannot listen on \(address), port \(requested): \(String(cString: strerror(error.code)))"
            )
        }
    }

    private struct Failure: Error {
        let code: Int32

        static var last: Failure { Failure(code: errno) }
    }

    /// Binds a socket to an address, and closes it again.
    private static func bind(_ address: SocketAddress) -> Result<Int, Failure> {
        let socket = Glibc.socket(
            address.protocol == .inet6 ? AF_INET6 : AF_INET,
            Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard socket >= 0 else { return .failure(.last) }
        defer { close(socket) }
        // The server sets this option too. Connections that were closed recently then do not block the port.
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = address.withSockAddr { Glibc.bind(socket, $0, socklen_t($1)) }
        // Only listen fails if another socket already listens on the port.
        guard result == 0, listen(socket, 1) == 0 else { return .failure(.last) }
        return LoopbackPort.number(of: socket).map { .success($0) } ?? .failure(.last)
    }
}
