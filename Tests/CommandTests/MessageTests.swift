// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Messages about usage errors and progress.
@Suite("messages of the command")
struct MessageTests {
    @Test("-library may precede the command")
    func libraryFirst() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let library = bench.folder.file("Photos.editlibrary")
        var environment = bench.environment()
        environment["EDITHOST_LIBRARY"] = "/nonexistent"
        for first in [["--library", library], ["--library=\(library)"]] {
            for command in [["list"], ["show", ids[0], "--json"], ["album", "list"]] {
                let result = try runProgram(
                    Workbench.command, first + command, environment: environment)
                #expect(result.status == 0, "\(first + command): \(result.errors)")
            }
        }
        // Words after `--` are not options.
        let result = try runProgram(
            Workbench.command, ["--library", library, "show", "--", ids[0]],
            environment: environment)
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("misspelt extensions, parameters, choices and albums get suggestions")
    func suggestions() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        _ = try bench.json("album", "create", "Summer")
        for (arguments, status, words) in [
            (["edit", ids[0], "--with", "sepai"], 69, "did you mean \"sepia\"?"),
            (
                ["edit", ids[0], "--with", "sepia", "--set", "intensty=1"], 64,
                "did you mean \"intensity\"?"
            ),
            (["album", "show", "Sumer"], 66, "did you mean \"Summer\"?"),
            (["album", "show", "favorits"], 66, "did you mean \"Favorites\"?"),
        ] as [([String], Int32, String)] {
            let result = try bench.run(arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
        }
        #expect(try !bench.run("album", "show", "Winter").errors.contains("did you mean"))
    }

    @Test("at the original, undo reports how many states redo restores")
    func atTheOriginal() throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        let words = "nothing to undo: this is the original"
        #expect(try bench.run("undo", ids[0]).output.hasSuffix("\(words)\n"))
        for intensity in ["0.2", "0.4"] {
            _ = try bench.json(
                "edit", ids[0], "--with", "sepia", "--set", "intensity=\(intensity)")
        }
        for _ in 0..<2 { _ = try bench.json("undo", ids[0]) }
        let undone = try bench.run("undo", ids[0])
        #expect(undone.status == 0)
        #expect(undone.output.contains("\(words); \"redo\" restores 2 states"))
        for _ in 0..<2 { _ = try bench.json("redo", ids[0]) }
        #expect(try bench.position(ids[0]) == (2, 2))
    }

    @Test("an export to an unwritable folder fails once")
    func unwritable() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let file = try bench.folder.write(Data("file".utf8), to: "file")
        for folder in [file, "\(file)/in", "/proc/self"] {
            let result = try bench.run(["export"] + ids + ["--to", folder])
            #expect(result.status == 73, "\(folder): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
            #expect(result.errors.contains(folder), "\(result.errors)")
        }
    }
}
