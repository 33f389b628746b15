// SPDX-License-Identifier: Apache-2.0

import EditHost
import Glibc

/// A TCP port that is free on both loopback addresses.
///
/// If the server listened on one of them only, another user of the machine could listen on the other one, and browsers
/// try both.
enum LoopbackPort {
    private static let attempts = 32

    /// Returns a port that is free on all loopback addresses of this machine.
    ///
    /// - Parameter requested: The port; 0 for any.
    /// - Throws: `HostError` with `busy` if the requested port, or every one that was tried, is in use.
    static func free(requesting requested: Int) throws(HostError) -> (
        port: Int, addresses: [String]
    ) {
        for _ in 0..<(requested == 0 ? attempts : 1) {
            guard let port = bind(AF_INET, requested).port else { continue }
            switch bind(AF_INET6, port) {
            case .port: return (port, ["127.0.0.1", "::1"])
            // Without IPv6, no program can bind its address.
            case .noAddress: return (port, ["127.0.0.1"])
            case .inUse: continue
            }
        }
        throw HostError(
            .busy,
            requested == 0
                ? "no port is free on 127.0.0.1 and ::1"
                : "port \(requested) is in use on 127.0.0.1 or ::1; choose another one with --port")
    }

    private enum Outcome {
        case port(Int)
        case inUse
        case noAddress

        var port: Int? {
            if case .port(let port) = self { port } else { nil }
        }
    }

    /// Binds a socket to a port of a loopback address, and closes it again.
    private static func bind(_ family: Int32, _ port: Int) -> Outcome {
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard socket >= 0 else { return .noAddress }
        defer { close(socket) }
        // The server sets this option too. Connections that were closed recently then do not block the port.
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = family == AF_INET ? bind4(socket, port) : bind6(socket, port)
        guard result == 0 else {
            return errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT ? .noAddress : .inUse
        }
        // Only listen fails if another socket already listens on the port.
        guard listen(socket, 1) == 0 else { return .inUse }
        return number(of: socket).map { .port($0) } ?? .inUse
    }

    private static func bind4(_ socket: Int32, _ port: Int) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func bind6(_ socket: Int32, _ port: Int) -> Int32 {
        var yes: Int32 = 1
        setsockopt(
            socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin6_addr = in6addr_loopback
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }

    /// Returns the port that a socket is bound to.
    static func number(of socket: Int32) -> Int? {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &length)
            }
        }
        // The port is at the same place in the addresses of both families.
        return result == 0 ? Int(UInt16(bigEndian: storage.sin6_port)) : nil
    }
}
