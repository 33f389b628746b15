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
        for (name, flags) in [
            ("flags", try TestExtension.swiftFlags()),
            ("test-flags", try TestExtension.swiftTestFlags()),
        ] {
            let text = flags.map { "\"\($0)\"" }.joined(separator: "\n")
            try bench.folder.write(Data(text.utf8), to: "pkgconfig/\(name)")
        }
        let sources = "\(BuildProducts.packageFolder)/Sources"
        let edithost = """
            sdkdir=\(folder)

            Name: edithost
            Description: Editing extensions for edithost
            Version: 0
            Requires: vips >= 8.14
            Cflags: -I\(sources)/CEditingExtension/include

            """
        let testing = """
            Name: edithost-testing
            Description: Unit tests of editing extensions for edithost
            Version: 0
            Requires: edithost
            Cflags: -I\(sources)/CEditingExtensionTesting/include
            Libs: -L\(BuildProducts.folder) -lCEditingExtensionTesting -ldl -lm

            """
        try bench.folder.write(Data(edithost.utf8), to: "pkgconfig/edithost.pc")
        try bench.folder.write(Data(testing.utf8), to: "pkgconfig/edithost-testing.pc")
        return folder
    }

    /// Runs `make` in the folder of a new extension.
    private static func make(_ bench: Workbench, _ arguments: [String]) throws -> ProcessResult {
        let environment = ProcessInfo.processInfo.environment
        let path = environment["PKG_CONFIG_PATH"].map { ":\($0)" } ?? ""
        // The workbench has a home of its own, without rustup's toolchains.
        let toolchains = environment["RUSTUP_HOME"] ?? "\(environment["HOME"] ?? "")/.rustup"
        return try runProgram(
            "/usr/bin/env",
            ["make", "--silent", "-C", bench.folder.file("MyFilter")]
                + ["EDITHOST=\(try Workbench.command)"] + arguments,
            environment: bench.environment([
                "PKG_CONFIG_PATH": try packages(bench) + path, "RUSTUP_HOME": toolchains,
            ]))
    }

    /// Creates an extension.
    private static func create(_ language: String) throws -> Workbench {
        let bench = try Workbench()
        let made = try bench.json("extensions", "new", "MyFilter", "--language", language)
        #expect(made.first?["identifier"] as? String == "com.example.myfilter")
        return bench
    }

    @Test(
        "C-02 a new extension builds, installs and edits unmodified",
        arguments: ["swift", "c", "cpp"])
    func builds(language: String) throws { try Self.expectEdits(language) }

    @Test(
        "a new extension in Rust builds, installs and edits unmodified",
        .enabled(if: HonestPlugin.rust.canBeBuilt, "rustc is not installed here"))
    func buildsRust() throws { try Self.expectEdits("rust") }

    private static func expectEdits(_ language: String) throws {
        let bench = try Self.create(language)
        let built = try Self.make(bench, [])
        try #require(built.status == 0, "\(built.errors)")
        #expect(!built.errors.contains("warning"), "\(built.errors)")
        let installed = try bench.run(
            "extensions", "install", bench.folder.file("MyFilter/MyFilter.editingextension"))
        try #require(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")
        let shown = try bench.json("extensions", "show", "myfilter")
        let parameters = try #require(shown.first?["parameters"] as? [[String: Any]])
        #expect(parameters.map { $0["name"] as? String } == ["gain", "lift"])
        #expect(parameters.map { $0["default"] as? Double } == [1, 0])

        let id = try bench.importPicture()
        let edited = try bench.run(
            "edit", id, "--with", "myfilter", "--set", "gain=0.5", "--set", "lift=0.2")
        try #require(edited.status == 0, "\(edited.errors)")
        let before = try bench.exported(id, "original").picture.samples
        let after = try bench.exported(id, "current").picture.samples
        #expect(zip(before, after).allSatisfy { abs(Double($0) / 2 + 51 - Double($1)) <= 1 })
        // Values that are not set keep the recipe's value.
        let again = try bench.json("edit", id, "--with", "myfilter")
        #expect(again.first?["input"] as? String == "original")
    }

    @Test("the test of a new extension in C or C++ passes", arguments: ["c", "cpp"])
    func test(language: String) throws { try Self.expectTestPasses(language) }

    @Test(
        "the test of a new extension in Rust passes",
        .enabled(if: HonestPlugin.rust.canBeBuilt, "rustc is not installed here"))
    func testRust() throws { try Self.expectTestPasses("rust") }

    @Test(
        "a new extension in Rust passes all checks without a warning, and links no libvips",
        .enabled(if: HonestPlugin.rust.canBeBuilt, "rustc is not installed here"))
    func validatesRust() throws {
        let bench = try Self.create("rust")
        let built = try Self.make(bench, [])
        try #require(built.status == 0, "\(built.errors)")
        let path = bench.folder.file("MyFilter/MyFilter.editingextension")
        let result = try bench.json("extensions", "validate", path)
        let tally = try #require(result.last)
        for outcome in ["failed", "crashed", "warnings"] {
            #expect(tally[outcome] as? Int == 0, "\(result)")
        }
        let needed = try runProgram("/usr/bin/env", ["readelf", "-d", "\(path)/libMyFilter.so"])
        try #require(needed.status == 0 && needed.output.contains("NEEDED"))
        #expect(!needed.output.contains("libvips"), "\(needed.output)")
    }

    @Test(
        "a parameter of an extension in Rust can be an integer",
        .enabled(if: HonestPlugin.rust.canBeBuilt, "rustc is not installed here"))
    func integerParameter() throws {
        let bench = try Self.create("rust")
        try Self.replace("kind: \"number\"", by: "kind: \"integer\"", in: "filter.rs", of: bench)
        try Self.replace("step: 0.01", by: "step: 1.0", in: "filter.rs", of: bench)
        let built = try Self.make(bench, [])
        try #require(built.status == 0, "\(built.errors)")
        let path = bench.folder.file("MyFilter/MyFilter.editingextension")
        let installed = try bench.run("extensions", "install", path)
        try #require(installed.status == 0 && installed.errors.isEmpty, "\(installed.errors)")
        let shown = try bench.json("extensions", "show", "myfilter")
        let parameters = try #require(shown.first?["parameters"] as? [[String: Any]])
        #expect(parameters.map { $0["type"] as? String } == ["integer", "integer"])
        #expect(parameters.map { $0["step"] as? Double } == [1, 1])
    }

    @Test("the test of a new extension in Swift passes", .torture)
    func swiftTorture() throws { try Self.expectTestPasses("swift") }

    @Test("a test in Swift reports a difference without a stack", .torture)
    func differenceTorture() throws {
        let bench = try Self.create("swift")
        try Self.replace("* 0.5 +", by: "* 0.25 +", in: "Tests.swift", of: bench)
        let result = try Self.make(bench, ["test"])
        #expect(result.status == 2 && result.output.hasPrefix("failed: "), "\(result.output)")
        #expect(!result.errors.contains("Fatal error"), "\(result.errors)")
    }

    @Test("builds in two folders give the same bytes", arguments: ["c", "cpp"])
    func sameBytes(language: String) throws { try Self.expectSameBytes(language) }

    @Test(
        "builds in two folders give the same bytes in Rust",
        .enabled(if: HonestPlugin.rust.canBeBuilt, "rustc is not installed here"))
    func sameBytesRust() throws { try Self.expectSameBytes("rust") }

    private static func expectSameBytes(_ language: String) throws {
        let libraries = try (0..<2).map { _ in
            let bench = try create(language)
            let built = try make(bench, [])
            try #require(built.status == 0, "\(built.errors)")
            let path = bench.folder.file("MyFilter/MyFilter.editingextension/libMyFilter.so")
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        #expect(libraries[0] == libraries[1])
    }

    @Test(
        "README describes no effect, so that it remains true",
        arguments: ["swift", "c", "cpp", "rust"])
    func readme(language: String) throws {
        let bench = try Self.create(language)
        let text = try String(
            contentsOfFile: bench.folder.file("MyFilter/README.md"), encoding: .utf8)
        #expect(!text.contains("gain") && !text.contains("lift") && !text.contains("@"))
        #expect(text.contains("extensions validate .") && text.contains("extensions package ."))
    }

    private static func expectTestPasses(_ language: String) throws {
        let bench = try create(language)
        let folder = bench.folder.file("MyFilter")
        func git(_ arguments: String...) throws -> String {
            let result = try runProgram("/usr/bin/env", ["git", "-C", folder] + arguments)
            try #require(result.status == 0, "\(result.errors)")
            return result.output
        }
        _ = try git("init", "--quiet")
        _ = try git("add", "--all")
        let files = try git("status", "--porcelain", "--untracked-files=all")
        let result = try make(bench, ["all", "test"])
        #expect(result.status == 0 && result.output == "passed\n", "\(result.errors)")
        #expect(!result.errors.contains("warning"), "\(result.errors)")
        let packaged = try make(bench, ["package"])
        #expect(packaged.status == 0, "\(packaged.errors)")
        #expect(
            FileManager.default.fileExists(
                atPath: "\(folder)/dist/MyFilter-1.0.editingextension.tar.gz"))
        #expect(try git("status", "--porcelain", "--untracked-files=all") == files)
        let debugger = try make(bench, ["--dry-run", "debug"])
        #expect(debugger.output.hasSuffix("\ngdb -ex start build/test\n"))
    }

    @Test(
        "the test of an extension fails if the extension is wrong, and says why",
        arguments: [
            ("lift, lift, lift, 0}", "lift, lift, 9, 0}", "band 2 of the pixel at 0, 0 is 9"),
            (
                "completion->complete(completion, EE_OK, &output, NULL);",
                "completion->complete(completion, EE_OK, &output, NULL);"
                    + "completion->complete(completion, EE_OK, &output, NULL);",
                "called its completion a second time"
            ),
            (
                "self->values, strlen(self->values)}};", "self->values, 0}};",
                "its recipe is empty"
            ),
            (
                "return status ? EE_FAILED : EE_OK;", "return EE_UNSUPPORTED;",
                "finish returned the status 4"
            ),
            ("#define ID \"com.example", "#define ID \"org.example", "org.example.myfilter, but"),
            ("render_preview, finish,", "render_preview, NULL,", "lacks a function"),
        ])
    func wrong(old: String, new: String, message: String) throws {
        try Self.expectTestFails(replacing: old, by: new, message, "test")
    }

    @Test("the test of an extension can be built with checks of memory")
    func memory() throws {
        let errors = try Self.expectTestFails(
            replacing: "g_free(self);", by: "g_free(self); g_free(self);", "double-free", "test",
            "CFLAGS=-g -fsanitize=address")
        #expect(errors.contains("MyFilter.c"), "\(errors)")
    }

    @Test("make builds the test again if CFLAGS change, and the test host leaks nothing")
    func leaks() throws {
        let bench = try Self.create("c")
        let plain = try Self.make(bench, ["test"])
        try #require(plain.status == 0, "\(plain.errors)")
        let checked = try Self.make(bench, ["test", "CFLAGS=-g -fsanitize=address,undefined"])
        #expect(checked.status == 0 && checked.output == "passed\n", "\(checked.errors)")
        #expect(!checked.errors.contains("leak"), "\(checked.errors)")
        let symbols = try runProgram(
            "/usr/bin/env", ["nm", "-D", bench.folder.file("MyFilter/build/test")])
        #expect(symbols.output.contains("__asan_init"))
    }

    @Test("a test that passes text instead of a recipe does not compile")
    func recipeType() throws {
        let bench = try Self.create("c")
        try Self.replace("input, &recipe", by: "input, json", in: "test.c", of: bench)
        let result = try Self.make(bench, ["test"])
        #expect(result.status == 2)
        #expect(result.errors.contains("incompatible-pointer-types"), "\(result.errors)")
    }

    @Test("an error message of libvips is reported without its newline", arguments: ["c", "cpp"])
    func errorMessage(language: String) throws {
        let bench = try Self.create(language)
        // The picture has three bands.
        try Self.replace(
            "vips_image_get_bands(image), ", by: "2, ", in: "MyFilter.\(language)", of: bench)
        let result = try Self.make(bench, ["test"])
        #expect(result.status == 2)
        #expect(
            result.errors.contains("vector must have 1 or 3 elements\nmake"), "\(result.errors)")
    }

    @Test(
        "a missing module of pkg-config stops make before the compiler runs",
        arguments: ["c", "cpp"])
    func missingModule(language: String) throws {
        let bench = try Self.create(language)
        let result = try runProgram(
            "/usr/bin/env", ["make", "-C", bench.folder.file("MyFilter"), "test"],
            environment: bench.environment([
                "PKG_CONFIG_PATH": bench.folder.file("none"),
                "PKG_CONFIG_LIBDIR": bench.folder.file("none"),
            ]))
        #expect(result.status == 2)
        #expect(result.errors.contains("Package edithost-testing was not found"))
        #expect(!result.output.contains("-o build/test"), "\(result.output)")
    }

    /// Replaces text in a file of an extension. Fails if the file does not contain it.
    private static func replace(
        _ old: String, by new: String, in file: String, of bench: Workbench
    ) throws {
        let path = bench.folder.file("MyFilter/\(file)")
        let right = try String(contentsOfFile: path, encoding: .utf8)
        let wrong = right.replacingOccurrences(of: old, with: new)
        try #require(wrong != right)
        try Data(wrong.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Changes the source of an extension in C. Returns what its test writes to standard error.
    @discardableResult
    private static func expectTestFails(
        replacing old: String, by new: String, _ message: String, _ arguments: String...
    ) throws -> String {
        let bench = try create("c")
        try replace(old, by: new, in: "MyFilter.c", of: bench)
        let result = try make(bench, arguments)
        #expect(result.status == 2)
        #expect(result.errors.contains(message), "\(result.errors)")
        return result.errors
    }

    @Test("invalid names and existing folders are errors")
    func invalidNames() throws {
        let bench = try Workbench()
        for name in ["a b", "../x", "", "1a", "a.b", "ä", String(repeating: "a", count: 65)] {
            let result = try bench.run("extensions", "new", name)
            #expect(result.status == 64, "\(name): \(result.errors)")
        }
        for identifier in ["x", "a..b", "a.b\"", "a/b.c"] {
            let result = try bench.run("extensions", "new", "A", "--identifier", identifier)
            #expect(result.status == 64, "\(identifier): \(result.errors)")
        }
        #expect(try bench.run("extensions", "new", "A", "--language", "zig").status == 64)
        for (name, language) in [("test", "c"), ("test", "cpp"), ("Tests", "swift")] {
            let result = try bench.run("extensions", "new", name, "--language", language)
            #expect(
                result.status == 64 && result.errors.contains("is the name of the test"),
                "\(result.errors)")
        }
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
