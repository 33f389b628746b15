// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What SwiftPM has built beside the tests.
public enum BuiltProduct {
    /// The path of an executable or a library, such as `edithost-runner`.
    ///
    /// - Throws: Where there is none in any folder above the test program.
    public static func path(_ name: String) throws -> String {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let starts = [program.path, CommandLine.arguments[0]] + testBundle
        for start in starts {
            var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
            while folder.path != "/" {
                let candidate = folder.appendingPathComponent(name).path
                if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
                folder.deleteLastPathComponent()
            }
        }
        throw Missing(name: name)
    }

    /// With Swift Testing alone the program is SwiftPM's helper, and the bundle an argument.
    private static var testBundle: [String] {
        CommandLine.arguments.filter { $0.hasSuffix(".xctest") }
    }

    /// It has not been built.
    public struct Missing: Error {
        /// What was looked for.
        public let name: String
    }
}
