// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The C contract compiles on its own, under every language standard that it supports.
@Suite("C header")
struct HeaderTests {
    @Test(
        "the header compiles on its own without warnings",
        arguments: [
            ("c", "c11"), ("c", "c17"), ("c++", "c++17"), ("c++", "c++20"),
        ])
    func compiles(language: String, standard: String) throws {
        let header =
            "\(BuildProducts.packageFolder)/Sources/CEditingExtension/include/editing_extension.h"
        let result = try runProgram(
            "/usr/bin/env",
            [
                "gcc", "-x", language, "-std=\(standard)", "-Wall", "-Wextra", "-Wpedantic",
                "-Werror", "-fsyntax-only", header,
            ])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test(
        "the header of the test host compiles on its own without warnings",
        arguments: [("c", "c11"), ("c++", "c++17")])
    func testHost(language: String, standard: String) throws {
        let sources = "\(BuildProducts.packageFolder)/Sources"
        let result = try runProgram(
            "/usr/bin/env",
            [
                "gcc", "-x", language, "-std=\(standard)", "-Wall", "-Wextra", "-Wpedantic",
                "-Werror", "-fsyntax-only", "-I\(sources)/CEditingExtension/include",
                "\(sources)/CEditingExtensionTesting/include/editing_extension_testing.h",
            ])
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("the header compiles together with that of libvips")
    func withVips() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Data("#include <vips/vips.h>\n#include <editing_extension.h>\n".utf8), to: "a.c")
        try TestExtension.compile(folder.file("a.c"), to: folder.file("a.so"))
    }
}
