// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests that the output of `extensions new` builds and works.
@Suite("extensions new")
struct NewExtensionTests {
    /// A pkg-config folder as `make install` creates it, for the built products.
    private static func packages(_ bench: Workbench) throws -> String {
        let folder = bench.folder.file("pkgconfig")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let flags = try TestExtension.swiftFlags().map { "\"\($0)\"" }.joined(separator: "\n")
        try bench.folder.write(Data(flags.utf8), to: "pkgconfig/flags")
        let package = """
            includedir=\(BuildProducts.packageFolder)/Sources/CEditingExtension/include
            sdkdir=\(folder)

            Name: edithost
            Description: Editing extensions for edithost
            Version: 0
            Requires: vips >= 8.14
            Cflags: -I${includedir}

            """
        try bench.folder.write(Data(package.utf8), to: "pkgconfig/edithost.pc")
        return folder
    }

    @Test("C-02 a new extension builds, installs and edits unmodified", arguments: ["swift", "c"])
    func builds(language: String) throws {
        let bench = try Workbench()
        let made = try bench.json(
            "extensions", "new", "MyFilter", "--language", language)
        #expect(made.first?["identifier"] as? String == "com.example.myfilter")
        let folder = bench.folder.file("MyFilter")
        let path = ProcessInfo.processInfo.environment["PKG_CONFIG_PATH"].map { ":\($0)" } ?? ""
        let built = try runProgram(
            "/usr/bin/env", ["make", "--silent", "-C", folder],
            environment: bench.environment([
                "PKG_CONFIG_PATH": try Self.packages(bench) + path
            ]))
        try #require(built.status == 0, "\(built.errors)")
        #expect(!built.errors.contains("warning"), "\(built.errors)")
        let installed = try bench.run(
            "extensions", "install", "\(folder)/MyFilter.editingextension")
        try #require(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")

        let id = try bench.importPicture()
        let edited = try bench.run("edit", id, "--with", "myfilter", "--set", "gain=0.5")
        try #require(edited.status == 0, "\(edited.errors)")
        let before = try bench.exported(id, "original").picture.samples
        let after = try bench.exported(id, "current").picture.samples
        #expect(zip(before, after).allSatisfy { abs(Double($0) / 2 - Double($1)) <= 1 })
        // Values that are not set keep the recipe's value.
        let again = try bench.json("edit", id, "--with", "myfilter")
        #expect(again.first?["input"] as? String == "original")
    }

    @Test("invalid names and existing folders are errors")
    func wrong() throws {
        let bench = try Workbench()
        for name in ["a b", "../x", "", "1a", "a.b", "ä", String(repeating: "a", count: 65)] {
            let result = try bench.run("extensions", "new", name)
            #expect(result.status == 64, "\(name): \(result.errors)")
        }
        for identifier in ["x", "a..b", "a.b\"", "a/b.c"] {
            let result = try bench.run("extensions", "new", "A", "--identifier", identifier)
            #expect(result.status == 64, "\(identifier): \(result.errors)")
        }
        #expect(try bench.run("extensions", "new", "A", "--language", "rust").status == 64)
        #expect(!FileManager.default.fileExists(atPath: bench.folder.file("A")))
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("A"), withIntermediateDirectories: true)
        try bench.folder.write(Data("mine".utf8), to: "A/A.swift")
        let there = try bench.run("extensions", "new", "A")
        #expect(there.status == 73 && there.errors.contains("already exists"))
        let kept = try String(contentsOfFile: bench.folder.file("A/A.swift"), encoding: .utf8)
        #expect(kept == "mine")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("A")).count == 1)
    }
}
