// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The library that is preloaded into a program to disturb it: `Plugins/faults.c`.
public enum PreloadedFaults {
    /// Compiles it into the folder of temporary files, under a name of this process.
    public static func build() throws -> String {
        let library = NSTemporaryDirectory() + "/edithost-faults-\(UUID()).so"
        let result = try runProgram(
            "/usr/bin/env",
            [
                "cc", "-std=gnu11", "-Wall", "-O1", "-fPIC", "-shared", "-o", library,
                "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/faults.c", "-ldl",
            ])
        guard result.status == 0 else { throw TestExtension.Failure(description: result.errors) }
        removeAtExit(library)
        return library
    }

    private static func removeAtExit(_ path: String) {
        paths.withLock { $0.append(path) }
        atexit { PreloadedFaults.removeAll() }
    }

    private static func removeAll() {
        paths.withLock { $0.forEach { unlink($0) } }
    }

    private static let paths = Locked<[String]>([])
}

/// A value behind a lock.
///
/// Unchecked: `value` is touched only while `lock` is held.
private final class Locked<Value>: @unchecked Sendable {
    private var value: Value
    private let lock = NSLock()
    init(_ value: Value) { self.value = value }
    func withLock(_ body: (inout Value) -> Void) { lock.withLock { body(&value) } }
}
