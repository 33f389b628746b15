// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The library `Plugins/faults.c`, which injects faults into a program that preloads it.
public enum PreloadedFaults {
    /// Compiles the library into a temporary folder and returns its path.
    public static func build() throws -> String {
        let library = try TemporaryFolder.untilExit() + "/faults.so"
        let result = try runProgram(
            "/usr/bin/env",
            [
                "cc", "-std=gnu11", "-Wall", "-O1", "-fPIC", "-shared", "-o", library,
                "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/faults.c", "-ldl",
            ])
        guard result.status == 0 else { throw TestExtension.Failure(description: result.errors) }
        return library
    }
}
