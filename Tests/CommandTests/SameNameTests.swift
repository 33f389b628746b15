// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Names on the command line that look the same or differ only in case.
@Suite("equivalent names")
struct SameNameTests {
    private let bench: Workbench
    private let id: String
    /// The composed and the decomposed form of a name.
    private static let forms = ["C\u{E3}o \u{1EA4}", "Ca\u{303}o A\u{302}\u{301}"]
    private static let others = [
        ("Stra\u{DF}e", "STRA\u{1E9E}E"), ("\u{391}\u{3A9}", "\u{3B1}\u{3C9}"),
    ]

    init() throws {
        bench = try Workbench(extensions: ["SepiaFilter"])
        id = try bench.importPicture()
        _ = try bench.json("edit", id, "--with", "sepia")
    }

    @Test("an album is found regardless of Unicode form or case", arguments: [0, 1])
    func albums(typed: Int) throws {
        let (made, other) = (Self.forms[1 - typed], Self.forms[typed])
        _ = try bench.json("album", "create", made)
        _ = try bench.json("album", "add", other, id)
        #expect(try bench.json("list", "--album", other.uppercased()).count == 1)
        // Neither of two names that look the same is chosen.
        _ = try bench.json("album", "create", other)
        let both = try bench.run("list", "--album", made)
        #expect(both.status == 64 && both.errors.contains("is ambiguous"), "\(both.errors)")
    }

    @Test("exact case selects between albums whose titles differ only in case")
    func albumCase() throws {
        for title in ["Summer", "summer"] { _ = try bench.json("album", "create", title) }
        _ = try bench.json("album", "add", "summer", id)
        #expect(try bench.json("list", "--album", "Summer").isEmpty)
        #expect(try bench.json("list", "--album", "summer").count == 1)
        #expect(try bench.run("list", "--album", "SUMMER").status == 64)
    }

    @Test("a label is found regardless of Unicode form or case")
    func labels() throws {
        for (set, typed) in [(Self.forms[0], Self.forms[1])] + Self.others {
            _ = try bench.json("set", id, "--label", set)
            for label in [set, typed, typed.lowercased()] {
                #expect(try bench.json("list", "--label", label).count == 1, "\(label)")
            }
            #expect(try bench.json("list", "--label", set + "x").isEmpty)
        }
    }

    @Test("a version is found regardless of form or case, and a duplicate is rejected")
    func versions() throws {
        let (made, other) = (Self.forms[0], Self.forms[1])
        _ = try bench.json("version", "save", id, "--name", made)
        for name in [made, other, other.lowercased()] {
            #expect(try bench.run("version", "save", id, "--name", name).status == 64, "\(name)")
        }
        _ = try bench.json("revert", id)
        _ = try bench.json("version", "use", id, "--name", other)
        _ = try bench.json("version", "save", id, "--name", other, "--replace")
        #expect(try bench.json("version", "list", id).count == 1)
        // Renames to another spelling of the same name.
        _ = try bench.json("version", "rename", id, "--name", made, "--to", made.uppercased())
        _ = try bench.json("version", "remove", id, "--name", made)
        #expect(try bench.json("version", "list", id).isEmpty)
    }

    @Test("a preset is found regardless of form or case, and a duplicate is rejected")
    func presets() throws {
        let (made, other) = (Self.forms[0], Self.forms[1])
        _ = try bench.json("preset", "save", made, "--from", id)
        for name in [made, other, other.lowercased()] {
            #expect(try bench.run("preset", "save", name, "--from", id).status == 64, "\(name)")
            #expect(try bench.run("preset", "show", name).status == 0, "\(name)")
        }
        _ = try bench.json("preset", "save", other, "--from", id, "--replace")
        let folder = bench.folder.file("config/edithost/presets")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        _ = try bench.json("edit", id, "--preset", other)
        _ = try bench.json("preset", "rename", made, "plain")
        _ = try bench.json("preset", "rename", "plain", "Plain")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Plain.json"])
        // Files that the user placed in the folder are distinguished only by their bytes.
        for name in Self.forms {
            try FileManager.default.copyItem(
                atPath: folder + "/Plain.json", toPath: "\(folder)/\(name).json")
        }
        for name in Self.forms { #expect(try bench.run("preset", "show", name).status == 0) }
        let neither = try bench.run("preset", "show", made.lowercased())
        #expect(neither.status == 64 && neither.errors.contains("is ambiguous"))
        for name in Self.forms { _ = try bench.json("preset", "remove", name) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Plain.json"])
    }
}
