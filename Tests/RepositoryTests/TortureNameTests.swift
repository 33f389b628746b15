// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The tests that run only in `make torture`, which selects them by name.
@Suite("names of torture tests")
struct TortureNameTests {
    @Test("the filter of make torture selects every test that runs only there")
    func names() throws {
        let root = BuildProducts.packageFolder
        let makefile = try String(contentsOfFile: "\(root)/Makefile", encoding: .utf8)
        let filter = try #require(
            makefile.firstMatch(of: /EDITHOST_TORTURE=1 .*--filter '(.+)'/)?.1)
        let selects = try Regex(String(filter))
        // A suite or function with the trait, or any other suite.
        let declaration = /\.torture\b[^{}]*?\b(?:struct|class|func) (\w+)|\b(?:struct|class) (\w+)/
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/Tests")
        where path.hasSuffix("Tests.swift") || path.hasSuffix("Torture.swift") {
            let text = try String(contentsOfFile: "\(root)/Tests/\(path)", encoding: .utf8)
            var suite: Substring = ""
            for match in text.matches(of: declaration) {
                guard let name = match.1 else {
                    suite = match.2 ?? suite
                    continue
                }
                count += 1
                #expect("\(suite)/\(name)".contains(selects), "\(name) in \(path)")
                if !match.0.contains("func") { suite = name }
            }
        }
        #expect(count > 20)
    }
}
