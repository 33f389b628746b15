// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The benchmarks run for half an hour, so a name that has moved to another script would be found late.
@Suite("the benchmarks' scripts")
struct BenchmarkImportTests {
    private static let folders = ["Benchmarks", "Benchmarks/Studio"]

    /// The texts of the scripts by the names of their modules.
    private func scripts() throws -> [String: String] {
        var scripts: [String: String] = [:]
        for folder in Self.folders {
            let path = "\(BuildProducts.packageFolder)/\(folder)"
            for file in try FileManager.default.contentsOfDirectory(atPath: path)
            where file.hasSuffix(".py") {
                scripts[String(file.dropLast(3))] = try String(
                    contentsOfFile: "\(path)/\(file)", encoding: .utf8)
            }
        }
        return scripts
    }

    @Test("names that the benchmarks import from each other are defined")
    func imports() throws {
        let scripts = try scripts()
        var count = 0
        for (script, text) in scripts {
            for found in text.matches(of: /(?m)^from (\w+) import ([\w, ]+)/) {
                guard let source = scripts[String(found.1)] else { continue }
                for name in found.2.split(separator: ",") {
                    let name = name.trimmingCharacters(in: .whitespaces)
                    let definition = try Regex("(?m)^(def |class |(\\w+, )*)\(name)\\b.*[:=]")
                    #expect(
                        source.contains(definition), "\(script).py: \(found.1) has no \(name)")
                    count += 1
                }
            }
        }
        #expect(count > 20)
    }
}
