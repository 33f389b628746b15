// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Commands that show one or several photos.
@Suite("details of several photos")
struct ManyPhotosTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[0], ids[1], "--with", "sepia")
        _ = try bench.json("favorite", ids[1], ids[2])
    }

    private func output(_ arguments: String...) throws -> String {
        let result = try bench.run(arguments)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        return result.output
    }

    private func chosen(_ arguments: String...) throws -> [String] {
        try bench.json(arguments).compactMap { $0["id"] as? String }
    }

    /// `show` is the output for one photo; `history` and `resources` print headings for several.
    @Test("the output for several photos consists of those for each")
    func concatenation() throws {
        let shown = try ids.map { try output("show", $0) }
        #expect(try output("show", ids[0], ids[1], ids[2]) == shown.joined(separator: "\n"))
        #expect(try output("show", ids[0], ids[0]) == shown[0])
        for command in [["history"], ["history", "--diff"], ["resources"]] {
            let single = try ids.prefix(2).enumerated().map { place, id in
                "\(id.prefix(8))  picture\(place).png\n" + (try bench.run(command + [id]).output)
            }
            let both = try bench.run(command + ids.prefix(2))
            #expect(both.status == 0 && both.output == single.joined(separator: "\n"))
        }
        for command in ["show", "history", "resources"] {
            let single = try ids.map { try output(command, $0, "--json") }
            let all = try output(command, ids[0], ids[1], ids[2], "--json")
            #expect(all == single.joined())
        }
    }

    @Test("filters, --all and standard input select photos")
    func selection() throws {
        #expect(try chosen("show", "--favorite") == [ids[1], ids[2]])
        #expect(try chosen("show", "--all", "--limit", "1") == [ids[0]])
        #expect(try chosen("history", "--edited", "--favorite") == [ids[1], ids[1]])
        #expect(try chosen("resources", "--unedited") == [ids[2]])
        #expect(
            try chosen("resources", "--all", "--type", "adjustmentData") == [ids[0], ids[1]])
        for command in ["show", "history", "resources"] {
            #expect(try output(command, "--text", "nothing") == "no photos\n")
            #expect(try output(command, "--text", "nothing", "--json") == "")
            #expect(try bench.run(command).status == 64)
            #expect(try bench.run(command, ids[0], "--all").status == 64)
            #expect(try bench.run(command, ids[0], "ffffffff-ffff").status == 66)
        }
        let piped = try runProgram(
            "/bin/sh",
            ["-c", "printf '%s\\n' \(ids[2]) \(ids[0]) | \"$0\" show - --json", Workbench.command],
            environment: bench.environment())
        #expect(try piped.objects.map { $0["id"] as? String } == [ids[2], ids[0]])
    }

    @Test("two states are compared, and a file is written, for one photo only")
    func single() throws {
        for arguments in [
            ["history", "--diff", "--from", "0"],
            ["resources", "--type", "photo", "--output", "x"],
        ] {
            let result = try bench.run(arguments + [ids[0], ids[1]])
            #expect(result.status == 64 && result.errors.contains("one photo"))
            #expect(try bench.run(arguments + [ids[0]]).status == 0)
        }
    }

    @Test("the values of edits are read for every photo")
    func values() throws {
        let rows = try bench.json(["show"] + ids)
        let values = rows.map { row in
            (row["edits"] as? [[String: Any]] ?? []).map { $0["values"] is [String: Any] }
        }
        #expect(values == [[true], [true], []])
    }
}
