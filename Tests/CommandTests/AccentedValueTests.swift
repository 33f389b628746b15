// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

/// Values that begin with a combining mark, which forms one `Character` with the equals sign before
/// it.
@Suite("values that start with a combining accent")
struct AccentedValueTests {
    private static let marks = [
        "\u{301}", "\u{20DD}", "\u{FE0F}", "\u{1F3FD}", "\u{93E}", "\u{200D}",
    ]

    @Test(
        "name=value splits at the first equals sign, even before a combining accent",
        arguments: marks)
    func assignments(mark: String) throws {
        for (text, name, value) in [
            ("a=\(mark)x", "a", "\(mark)x"), ("a\(mark)==\(mark)", "a\(mark)", "=\(mark)"),
            ("\(mark)=\(mark)", mark, mark), ("a=b=\(mark)", "a", "b=\(mark)"), ("a=", "a", ""),
        ] {
            let read = try ParameterAssignment(argument: text)
            #expect(Array(read.name.utf8) == Array(name.utf8), "\(text)")
            #expect(Array(read.value.utf8) == Array(value.utf8), "\(text)")
        }
        #expect(throws: ValidationError.self) { try ParameterAssignment(argument: "=\(mark)") }
    }

    @Test(
        "options accept such values after an equals sign and as a separate word", arguments: marks)
    func options(mark: String) throws {
        let (bench, ids) = try Workbench.withPhotos(1, extensions: ["SepiaFilter"])
        for option in [["--title", "\(mark)x"], ["--title=\(mark)y"]] {
            let result = try bench.json(["set", ids[0]] + option)
            #expect(result.count == 1)
            let title = try bench.json("show", ids[0]).first?["title"] as? String
            #expect(title.map { $0.utf8.starts(with: mark.utf8) } == true)
        }
        let output = bench.folder.file("\(mark)i.png")
        for option in [["--output=\(mark)i.png"], ["-o=\(mark)i.png"], ["-o", "\(mark)i.png"]] {
            try? FileManager.default.removeItem(atPath: output)
            let result = try bench.run(["image", ids[0], "--size", "9x9"] + option)
            #expect(result.status == 0, "\(option): \(result.errors)")
            #expect(FileManager.default.fileExists(atPath: output), "\(option)")
        }
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        #expect(try bench.run("version", "save", ids[0], "--name=\(mark)v").status == 0)
        #expect(try bench.run("version", "use", ids[0], "--name", "\(mark)v").status == 0)
        let library = "--library=\(mark)L.editlibrary"
        let path = bench.folder.file("photos/picture0.png")
        #expect(try bench.run([library, "import", path]).status == 0)
        #expect(try bench.run(["list", library]).output.split(separator: "\n").count == 2)
        #expect(try bench.run("list", "--limit=\(mark)1").status == 64)
    }
}
