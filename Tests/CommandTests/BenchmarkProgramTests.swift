// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import TestSupport
import Testing

/// The `make bench` programs that can be tested without measuring.
@Suite("benchmark programs")
struct BenchmarkProgramTests {
    private static let folder = "\(BuildProducts.packageFolder)/Benchmarks"

    @Test("generate.py creates a library with edits and albums that opens")
    func generated() throws {
        let bench = try Workbench()
        let library = bench.folder.file("Photos.editlibrary")
        try PhotoLibrary.create(at: library).close()
        let result = try runProgram(
            "/usr/bin/env", ["python3", "\(Self.folder)/generate.py", library, "600"])
        try #require(result.status == 0, "\(result.errors)")
        // Some of the 600 assets are hidden.
        #expect(try bench.json("list").count > 500)
        let edited = try bench.json("list", "--edited")
        #expect((20...30).contains(edited.count), "\(edited.count)")
        let id = try #require(edited.first?["id"] as? String)
        #expect(try bench.json("history", id).count == 2)
    }

    @Test("generate.py names an unknown column of a different schema")
    func otherSchema() throws {
        let bench = try Workbench()
        let library = bench.folder.file("Photos.editlibrary")
        try PhotoLibrary.create(at: library).close()
        let change = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1] + "/library.sqlite")
            database.execute("ALTER TABLE rendition ADD COLUMN depth INTEGER")
            database.execute("ALTER TABLE blob RENAME COLUMN size TO length")
            database.commit()
            """
        #expect(
            try runProgram("/usr/bin/env", ["python3", "-c", change, library]).status == 0)
        let result = try runProgram(
            "/usr/bin/env", ["python3", "\(Self.folder)/generate.py", library, "600"])
        #expect(result.status == 1)
        #expect(
            result.errors.contains("blob has no columns ['size'], and needs ['length']"),
            "\(result.errors)")
    }

    @Test("a report keeps the sections of other programs in order and replaces its own")
    func report() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Data(
                """
                # Benchmarks

                An old machine.

                ## One

                old

                ## A library of a million assets

                kept

                ## Videos

                kept too
                """.utf8), to: "benchmarks.md")
        let program = """
            import sys
            from pathlib import Path
            sys.path.insert(0, sys.argv[1])
            import tables
            report = Path(sys.argv[2])
            text = "# Benchmarks\\n\\nA machine.\\n\\n## One\\n\\n1\\n\\n## Two\\n\\n2\\n"
            for turn in range(2):
                tables.write(report, text)
            tables.section(report, "## Videos", ["## Videos", "", "3"])
            """
        let result = try runProgram(
            "/usr/bin/env", ["python3", "-B", "-c", program, Self.folder, path])
        try #require(result.status == 0, "\(result.errors)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(
            text == """
                # Benchmarks

                A machine.

                ## One

                1

                ## Two

                2

                ## A library of a million assets

                kept

                ## Videos

                3

                """)
    }
}
