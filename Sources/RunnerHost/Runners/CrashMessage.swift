// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The line of a runner's output that states why it died or failed.
///
/// It is rarely the last one: runtimes print a stack or a note after it.
struct CrashMessage: CustomStringConvertible {
    /// The text, shortened.
    let description: String

    /// - Parameter log: The output. The first line that names a fault is used, otherwise the last line that does not
    ///   belong to a stack.
    init?(in log: String) {
        let lines = log.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        if let place = lines.firstIndex(where: Self.namesFault) {
            var parts = [lines[place]]
            // C++ and Rust print the message on the next line.
            let isIntroduction = ["terminate called", "panicked at"].contains {
                lines[place].contains($0)
            }
            if isIntroduction, place + 1 < lines.count { parts.append(lines[place + 1]) }
            description = Self.shortened(parts.joined(separator: " "))
        } else if let line = lines.last(where: { !Self.isInStack($0) }) {
            description = Self.shortened(line)
        } else {
            return nil
        }
    }

    /// Whether a line is the message of a runtime or a library that ends the process: of Swift, C++, Rust, GLib,
    /// glibc and sanitizers.
    private static func namesFault(_ line: String) -> Bool {
        line.hasPrefix("*** ")
            || [
                "ERROR:", "Fatal error", "terminate called", "panicked at", "Assertion `",
                "free(): ", "malloc(): ", "double free or", "munmap_chunk(): ", "corrupted size",
                "AddressSanitizer: ", "failed to allocate", "memory allocation of",
            ].contains { line.contains($0) }
    }

    /// Whether a line is a stack frame or a note around one.
    private static func isInStack(_ line: String) -> Bool {
        line.hasSuffix("stack trace:") || line.hasPrefix("note: ")
            || line.wholeMatch(of: /#?\d+:?\s.*\s0x[0-9a-f]+.*|.*\[0x[0-9a-f]+\]/) != nil
    }

    private static func shortened(_ text: String) -> String { String(text.prefix(300)) }
}
