// SPDX-License-Identifier: Apache-2.0

import EditHost
import FileAccess
import Glibc
import Testing

/// A listening socket.
struct Listener {
    private let socket: OpenFile
    /// The port of an internet socket.
    var port: UInt16 = 0

    /// Listens on a free port of 127.0.0.1.
    static func internet() throws -> Listener {
        var listener = try Listener(AF_INET)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try #require(bind(listener.socket.descriptor, $0, length) == 0)
                try #require(getsockname(listener.socket.descriptor, $0, &length) == 0)
            }
        }
        try #require(listen(listener.socket.descriptor, 8) == 0)
        listener.port = UInt16(bigEndian: address.sin_port)
        return listener
    }

    /// Listens on an abstract name, outside the file system.
    static func abstract(_ name: String) throws -> Listener {
        let listener = try Listener(AF_UNIX)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let length = socklen_t(offset + 1 + name.utf8.count)
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: name.utf8) }
        try withUnsafePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try #require(bind(listener.socket.descriptor, $0, length) == 0)
            }
        }
        try #require(listen(listener.socket.descriptor, 8) == 0)
        return listener
    }

    private init(_ family: Int32) throws {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = Glibc.socket(family, type, 0)
        try #require(number >= 0)
        socket = OpenFile(descriptor: number)
    }

    /// Whether a process has connected.
    var wasCalled: Bool {
        let connection = accept(socket.descriptor, nil, nil)
        if connection >= 0 { close(connection) }
        return connection >= 0
    }
}
