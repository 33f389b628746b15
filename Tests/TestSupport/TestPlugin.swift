// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Compiles small extensions in C while the tests run.
public enum TestPlugin {
    /// Compiles `Plugins/NAME.c` into a shared library. Each combination is compiled once per test
    /// process.
    ///
    /// - Parameters:
    ///   - name: The file's name without its extension.
    ///   - definitions: Macros, such as `["MODE": "\"crash\""]`. The value may be empty.
    /// - Returns: The library's path.
    public static func build(
        _ name: String, _ definitions: [String: String] = [:]
    ) throws -> String {
        try lock.withLock {
            let flags = definitions.sorted { $0.key < $1.key }.map { key, value in
                value.isEmpty ? "-D\(key)" : "-D\(key)=\(value)"
            }
            let key = ([name] + flags).joined(separator: " ")
            if let known = built[key] { return known }
            let path = try compile(name, flags, number: built.count)
            built[key] = path
            return path
        }
    }

    private static let lock = NSLock()
    // Accessed only while `lock` is held.
    nonisolated(unsafe) private static var built: [String: String] = [:]

    private static let folder = Result { try TemporaryFolder.untilExit() }

    private static func compile(_ name: String, _ flags: [String], number: Int) throws -> String {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let header = here.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/CEditingExtension/include")
        let vips = try run("/usr/bin/env", ["pkg-config", "--cflags", "--libs", "vips"])
        let library = "\(try folder.get())/\(name)-\(number).so"
        _ = try run(
            "/usr/bin/env",
            ["cc", "-std=gnu11", "-Wall", "-Wextra", "-fPIC", "-shared", "-fvisibility=hidden"]
                + flags + [
                    "-I", header.path, "-o", library,
                    here.appendingPathComponent("Plugins/\(name).c").path,
                ] + vips.split(whereSeparator: \.isWhitespace).map(String.init) + ["-lpthread"])
        return library
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let result = try runProgram(program, arguments)
        let text = result.output + result.errors
        guard result.status == 0 else { throw Failed(message: text) }
        return text
    }

    /// A failed program.
    public struct Failed: Error {
        /// The program's output.
        public let message: String
    }
}
