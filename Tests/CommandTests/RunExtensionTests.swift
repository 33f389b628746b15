// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of `extensions run`, which tries an extension without a library.
@Suite("extensions run")
struct RunExtensionTests {
    private let bench: Workbench
    private let extensionPath: String
    private let input: String
    private let output: String

    init() throws {
        bench = try Workbench()
        try TestExtension.buildAdder(in: bench.folder.file("source"))
        extensionPath = bench.folder.file("source/adder.editingextension")
        input = try bench.picture()
        output = bench.folder.file("out.png")
    }

    private func run(_ options: String...) throws -> ProcessResult {
        try bench.run(
            ["extensions", "run", extensionPath, "--input", input, "--output", output] + options)
    }

    private var written: TestPicture {
        get throws {
            try TestPicture(decoding: Data(contentsOf: URL(fileURLWithPath: output)))
        }
    }

    private func expectNothingWritten() {
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("the finished edit is written, and nothing else is stored")
    func edit() throws {
        let result = try run("--set", "amount=7", "--json")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        #expect(try written == TestPicture.gradient().adding(7))
        let row = try #require(try result.objects.first)
        #expect(row["extension"] as? String == "org.example.adder")
        #expect(row["path"] as? String == output)
        #expect(row["pixelWidth"] as? Int == 37 && row["pixelHeight"] as? Int == 23)
        let values = try #require(row["values"] as? [String: Any])
        #expect(values["amount"] as? Double == 7 && values["mode"] as? String == "plain")
        #expect(row["formatIdentifier"] as? String == "org.example.adder")
        #expect(row["formatVersion"] as? String == "1.0")
        #expect(row["recipe"] as? String == "7 plain")
        #expect(row["recipeBytes"] is NSNull)
        for name in ["Photos.editlibrary", "data", "config"] {
            #expect(!FileManager.default.fileExists(atPath: bench.folder.file(name)), "\(name)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("tmp")) == [])
    }

    @Test("a folder that contains one extension stands for it; an existing output is replaced")
    func sourceFolder() throws {
        let source = bench.folder.file("source")
        try Data("old".utf8).write(to: URL(fileURLWithPath: output))
        let text = try bench.run(
            "extensions", "run", source, "--input", input, "-o", output)
        #expect(text.status == 0 && text.output == "\(output)  37x23\n", "\(text.errors)")
        #expect(try written == TestPicture.gradient().adding(10))
        try TestExtension.buildAdder("org.example.other", in: source)
        let several = try bench.run(
            "extensions", "run", source, "--input", input, "-o", output)
        #expect(several.status == 64)
        #expect(several.errors.contains("adder.editingextension, other.editingextension"))
        let none = try bench.run(
            "extensions", "run", bench.folder.file("tmp"), "--input", input, "-o", output)
        #expect(none.status == 69 && none.errors.contains("contains no extension"))
    }

    @Test("--size renders a preview that fits into the box")
    func preview() throws {
        let plain = TestPicture(
            width: 64, height: 48, bands: 3, samples: Array(repeating: 100, count: 64 * 48 * 3))
        try plain.encoded().write(to: URL(fileURLWithPath: input))
        let result = try run("--size", "32x32", "--set", "amount=3")
        #expect(result.status == 0, "\(result.errors)")
        let picture = try written
        #expect(picture.width == 32 && picture.height == 24)
        #expect(picture.samples.allSatisfy { $0 == 103 })
    }

    @Test("what the extension prints and logs is shown line by line")
    func lines() throws {
        let result = try run("--set", "mode=noise")
        #expect(result.status == 0)
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(lines == (0..<2000).map { "{\"noise\": \($0)}" })
        let logged = try run("--set", "mode=ask-early")
        #expect(
            logged.errors.contains("org.example.adder: finish: 37x23, 1.0000, 1.0000"),
            "\(logged.errors)")
    }

    @Test("--set is checked as by edit")
    func values() throws {
        let unknown = try run("--set", "amuont=1")
        #expect(
            unknown.status == 64 && unknown.errors.contains("did you mean"), "\(unknown.errors)")
        let large = try run("--set", "amount=999")
        #expect(large.status == 64 && large.errors.contains("-255 to 255"), "\(large.errors)")
        let twice = try run("--set", "amount=1", "--set", "amount=2")
        #expect(twice.status == 64 && twice.errors.contains("more than once"))
        expectNothingWritten()
    }

    @Test("unusable files are errors that name the file")
    func files() throws {
        func run(_ extensionPath: String, _ input: String, _ output: String) throws
            -> ProcessResult
        {
            try bench.run("extensions", "run", extensionPath, "--input", input, "-o", output)
        }
        let missing = bench.folder.file("missing")
        for result in [
            try run(missing, input, output), try run(extensionPath, missing, output),
        ] {
            #expect(result.status == 66 && result.errors.contains(missing), "\(result.errors)")
        }
        let text = try bench.folder.write(Data("no picture".utf8), to: "text.png")
        let damaged = try bench.folder.write(
            Data(contentsOf: URL(fileURLWithPath: input)).prefix(60), to: "damaged.png")
        for path in [text, damaged] {
            let result = try run(extensionPath, path, output)
            #expect(result.status == 65 && result.errors.contains(path), "\(result.errors)")
        }
        let unknown = try run(extensionPath, text, output)
        #expect(
            unknown.errors.contains("\(text) is not a picture or video that edithost recognises"),
            "\(unknown.errors)")
        let other = try run(extensionPath, input, bench.folder.file("out.txt"))
        #expect(other.status == 64)
        #expect(
            other.errors.contains(
                "the filename extension of \(bench.folder.file("out.txt")) is not that of a "
                    + "picture; use .jpg, .png, .tif, .webp, .heic, .avif, .gif or .jxl"),
            "\(other.errors)")
        let before = try Data(contentsOf: URL(fileURLWithPath: input))
        let same = try run(extensionPath, input, input)
        #expect(same.status == 64 && same.errors.contains("is the input"), "\(same.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: input)) == before)
        #expect(try self.run("--time", "1s").status == 64)
        expectNothingWritten()
    }

    @Test("an output that is a link to the input is an error")
    func linkedOutput() throws {
        let link = bench.folder.file("link.png")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: input)
        for (from, to) in [(input, link), (link, link), (link, input)] {
            let result = try bench.run(
                "extensions", "run", extensionPath, "--input", from, "-o", to)
            #expect(
                result.status == 64 && result.errors.contains("is the input"), "\(result.errors)")
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == input)
    }

    @Test("an output that cannot be written is reported before the input is read")
    func unusableOutput() throws {
        let text = try bench.folder.write(Data("no picture".utf8), to: "text.png")
        let folder = bench.folder.file("folder.png")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for path in [folder, bench.folder.file("missing/out.png")] {
            let result = try bench.run(
                "extensions", "run", extensionPath, "--input", text, "-o", path)
            let named = path == folder ? folder : bench.folder.file("missing")
            #expect(result.status == 73 && result.errors.contains(named), "\(result.errors)")
            #expect(!result.errors.contains(text), "\(result.errors)")
        }
    }

    @Test("a folder that cannot be written is reported before any work")
    func unwritableFolder() throws {
        let text = try bench.folder.write(Data("no picture".utf8), to: "text.png")
        let folder = bench.folder.file("readable")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for (path, mode) in [
            (bench.folder.path, 0o755), (bench.folder.file("tmp"), 0o777), (folder, 0o555),
        ] as [(String, mode_t)] {
            try #require(chmod(path, mode) == 0)
        }
        let result = try bench.runUnprivileged([
            "extensions", "run", extensionPath, "--input", text, "-o", "\(folder)/out.png",
        ])
        #expect(result.status == 73, "\(result.errors)")
        #expect(result.errors.contains("\(folder) cannot be written"), "\(result.errors)")
    }

    @Test("an extension that cannot be used is an error with the reason")
    func unusable() throws {
        try FileManager.default.removeItem(atPath: "\(extensionPath)/libadder.so")
        let result = try run()
        #expect(result.status == 69 && result.errors.contains("libadder.so"), "\(result.errors)")
        expectNothingWritten()
    }

    @Test(
        "the reason of a failure is shown, and failures are not counted",
        arguments: [
            ("fail-finish", 70, "no wish to finish"), ("segv", 70, "SIGSEGV"),
            ("exit", 70, "org.example.adder"), ("empty-recipe", 70, "org.example.adder"),
            ("discard", 69, "nothing to commit"),
        ] as [(String, Int32, String)])
    func failure(mode: String, status: Int32, said: String) throws {
        for _ in 0..<4 {
            let result = try run("--set", "mode=\(mode)")
            #expect(result.status == status, "\(result.errors)")
            #expect(result.errors.contains(said), "\(result.errors)")
            #expect(!result.errors.contains("quarantine"), "\(result.errors)")
        }
        expectNothingWritten()
        #expect(try bench.json("extensions", "quarantine", "list").isEmpty)
    }

    @Test("the stack of a stack overflow is shown")
    func overflow() throws {
        let result = try run("--set", "mode=overflow", "--verbose")
        #expect(result.status == 70 && result.errors.contains("SIGSEGV"), "\(result.errors)")
        // The frames of static functions, such as "…/libadder.so(+0x1234)[0x7f0123456789]".
        #expect(result.errors.contains("(+0x"), "\(result.errors)")
        expectNothingWritten()
    }

    @Test("an extension that hangs is stopped at its deadline")
    func hang() throws {
        try FileManager.default.createDirectory(
            atPath: bench.folder.file("config/edithost"), withIntermediateDirectories: true)
        try bench.folder.write(
            Data(#"{"budgets": {"default": {"wallClockSeconds": 2}}}"#.utf8),
            to: "config/edithost/config.json")
        let result = try run("--set", "mode=sleep")
        #expect(result.status == 70)
        #expect(result.errors.contains("did not answer within 2 s"), "\(result.errors)")
        expectNothingWritten()
    }

    @Test("--recipe starts from a recipe or from values, and --set overrides them")
    func recipe() throws {
        let stored = try bench.folder.write(Data("5 plain".utf8), to: "recipe")
        #expect(try run("--recipe", stored).status == 0)
        #expect(try written == TestPicture.gradient().adding(5))
        let values = try bench.folder.write(Data(#"{"amount": 6}"#.utf8), to: "values.json")
        #expect(try run("--recipe", values).status == 0)
        #expect(try written == TestPicture.gradient().adding(6))
        #expect(try run("--recipe", stored, "--set", "amount=8").status == 0)
        #expect(try written == TestPicture.gradient().adding(8))
    }

    @Test("--recipe asks the extension, and reports recipes that cannot be used")
    func unusableRecipe() throws {
        try TestExtension.buildAdder(defines: ["ASK", "REFUSES"], in: bench.folder.file("source"))
        let stored = try bench.folder.write(Data("5 plain".utf8), to: "recipe")
        let refused = try run("--recipe", stored)
        #expect(refused.status == 65, "\(refused.errors)")
        #expect(refused.errors.contains("does not accept this recipe"), "\(refused.errors)")
        #expect(refused.errors.contains("asked org.example.adder 1.0 5 plain"))
        let empty = try bench.folder.write(Data(), to: "empty")
        let useless = try run("--recipe", empty)
        #expect(useless.status == 65 && useless.errors.contains(empty), "\(useless.errors)")
        #expect(try run("--recipe", bench.folder.file("missing")).status == 66)
        expectNothingWritten()
    }

    @Test("--wait-for-debugger stops the runner before the library is loaded from its own file")
    func debugger() throws {
        let command = try RunningCommand(
            bench,
            [
                "extensions", "run", extensionPath, "--input", input, "-o", output, "--set",
                "mode=wait", "--wait-for-debugger",
            ])
        let waiting = try command.waitForOutput(/process (\d+) waits for a debugger/)
        let process = try #require(pid_t(waiting.output.1))
        func maps() throws -> String {
            // Files in /proc have no size, so they are read to their end.
            let file = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/maps"))
            return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        }
        #expect(try !maps().contains(extensionPath))
        expectNothingWritten()
        kill(process, SIGCONT)
        try command.waitUntilWaiting()
        #expect(try maps().contains("\(extensionPath)/libadder.so"))
        try command.letFinish()
        #expect(try command.status() == 0, "\(command.output)")
        #expect(try written == TestPicture.gradient().adding(10))
    }

    @Test("Ctrl-C ends a process that waits for a debugger")
    func debuggerInterruption() throws {
        let command = try RunningCommand(
            bench,
            [
                "extensions", "run", extensionPath, "--input", input, "-o", output,
                "--wait-for-debugger",
            ])
        _ = try command.waitForOutput(/waits for a debugger/)
        command.send(SIGINT)
        #expect(try command.status() == 130)
        expectNothingWritten()
    }

    @Test("--in-process gives the pixels of the sandboxed run, and leaves no files")
    func inProcess() throws {
        let result = try run("--set", "amount=7", "--json", "--in-process")
        #expect(
            result.errors.hasPrefix(
                "edithost: warning: --in-process: extensions and decoders run with your full "
                    + "permissions\n"), "\(result.errors)")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try written == TestPicture.gradient().adding(7))
        let row = try #require(try result.objects.first)
        #expect(row["recipe"] as? String == "7 plain")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: bench.folder.file("tmp")) == [])
    }

    @Test("--in-process loads the library in the process that was started")
    func inProcessMaps() throws {
        let command = try RunningCommand(
            bench,
            [
                "extensions", "run", extensionPath, "--input", input, "-o", output, "--set",
                "mode=wait", "--in-process",
            ])
        try command.waitUntilWaiting()
        let file = try #require(
            FileHandle(forReadingAtPath: "/proc/\(command.pid)/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        #expect(maps.contains("\(extensionPath)/libadder.so"))
        try command.letFinish()
        #expect(try command.status() == 0, "\(command.output)")
        #expect(try written == TestPicture.gradient().adding(10))
    }

    @Test("--in-process: an error has the status of a sandboxed run")
    func inProcessErrors() throws {
        let invalid = try run("--set", "amount=no", "--in-process")
        #expect(invalid.status == 64 && invalid.errors.contains("amount"), "\(invalid.errors)")
        #expect(try run("--recipe", bench.folder.file("missing"), "--in-process").status == 66)
        #expect(try run("--in-process", "--wait-for-debugger").status == 64)
        #expect(try run("--in-process", "--watch").status == 64)
        expectNothingWritten()
    }

    @Test("--in-process: a crash ends the process that was started")
    func inProcessCrash() throws {
        let result = try run("--set", "mode=crash-finish", "--in-process")
        #expect(result.status == 128 + SIGSEGV, "\(result.errors)")
        expectNothingWritten()
    }

    @Test("--watch builds and runs again when a source changes, and goes on after errors")
    func watch() throws {
        let source = bench.folder.file("source")
        let example = "\(BuildProducts.packageFolder)/Examples/InvertC"
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: "\(example)/\(name)", encoding: .utf8)
        }
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(source)/\(name)"))
        }
        try FileManager.default.removeItem(atPath: extensionPath)
        let include = "\(BuildProducts.packageFolder)/Sources/CEditingExtension/include"
        try write(
            text("Makefile").replacingOccurrences(
                of: "../../Sources/CEditingExtension/include", with: include), "Makefile")
        try write(text("manifest.json"), "manifest.json")
        try write(text("invert.c"), "invert.c")
        let command = try RunningCommand(
            bench,
            [
                "extensions", "run", source, "--watch", "--input", input, "-o",
                "\(source)/out.png",
            ])
        func expect(_ picture: TestPicture) throws {
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(source)/out.png"))
            #expect(try TestPicture(decoding: data) == picture)
        }
        _ = try command.waitForOutput(/out\.png  37x23/)
        try expect(TestPicture.gradient().mapped { 255 - $0 })

        try write("no C", "invert.c")
        _ = try command.waitForOutput(/make failed/)
        let adding = try text("invert.c")
            .replacingOccurrences(of: "{-1, -1, -1, 1}", with: "{1, 1, 1, 1}")
            .replacingOccurrences(of: "{largest, largest, largest, 0}", with: "{3, 3, 3, 0}")
        try write(adding, "invert.c")
        _ = try command.waitForOutput(/make failed(?s:.*)out\.png  37x23/)
        try expect(TestPicture.gradient().adding(3))
        command.send(SIGINT)
        #expect(try command.status() == 130)
    }

    @Test("--watch needs a Makefile")
    func watchWithoutMakefile() throws {
        let result = try run("--watch")
        #expect(result.status == 64 && result.errors.contains("Makefile"), "\(result.errors)")
        #expect(try run("--watch", "--wait-for-debugger").status == 64)
        expectNothingWritten()
    }

    @Test("Ctrl-C ends the trial")
    func interruption() throws {
        let command = try RunningCommand(
            bench,
            [
                "extensions", "run", extensionPath, "--input", input, "-o", output, "--set",
                "mode=wait",
            ])
        try command.waitUntilWaiting()
        command.send(SIGINT)
        #expect(try command.status() == 130)
        expectNothingWritten()
        #expect(command.leftFolders == [])
    }
}
