// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of commands that apply edits which are already there, and of `--append` and `--replace`.
@Suite("edits that are applied again")
struct RepeatedEditTests {
    private let bench: Workbench
    private let ids: [String]

    init() throws {
        (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter", "CropRotate"])
    }

    /// Runs a command that edits, and returns the status of each photo.
    private func statuses(_ arguments: [String]) throws -> [String] {
        try bench.json(arguments).compactMap { $0["status"] as? String }
    }

    /// The extensions of the current edits, by the last part of their identifiers.
    private func edits(_ id: String) throws -> [String] {
        try bench.json("edits", "list", id).compactMap { $0["extension"] as? String }.map {
            String($0.split(separator: ".").last ?? "")
        }
    }

    private func intensities(_ id: String) throws -> [Double] {
        try bench.json("show", id).flatMap { $0["edits"] as? [[String: Any]] ?? [] }.compactMap {
            ($0["values"] as? [String: Any])?["intensity"] as? Double
        }
    }

    private let toned = [
        "--with", "sepia", "--set", "intensity=0.5", "--then", "croprotate", "--set", "turns=1",
    ]

    @Test("--then reports photos whose last edits are already these as unchanged")
    func then() throws {
        let command = ["edit", ids[0], ids[1]] + toned
        #expect(try statuses(["edit", ids[0]] + toned) == ["committed"])
        #expect(try statuses(command) == ["unchanged", "committed"])
        #expect(try statuses(command) == ["unchanged", "unchanged"])
        #expect(try statuses(command + ["--keep-going"]) == ["unchanged", "unchanged"])
        for id in ids[..<2] {
            #expect(try bench.position(id) == (1, 1))
            #expect(try edits(id) == ["sepia", "croprotate"])
        }
        let text = try bench.run(["edit", ids[0]] + toned)
        #expect(text.output.contains("already has these edits"), "\(text.output)")
        // Another value is another edit.
        let other = toned.map { $0 == "turns=1" ? "turns=2" : $0 }
        #expect(try statuses(["edit", ids[0]] + other) == ["committed"])
        #expect(try edits(ids[0]).count == 4)
        #expect(try statuses(["edit", ids[0]] + other) == ["unchanged"])
    }

    @Test("values that the first edit kept from an earlier one are kept when it is repeated")
    func continued() throws {
        _ = try bench.json(
            "edit", ids[0], "--with", "croprotate", "--set", "crop=0,0,0.5,0.5")
        let command = [
            "edit", ids[0], "--with", "croprotate", "--set", "turns=1", "--then", "sepia",
        ]
        #expect(try statuses(command) == ["committed"])
        #expect(try statuses(command) == ["unchanged"])
        #expect(try edits(ids[0]) == ["croprotate", "sepia"])
    }

    @Test("presets and copied edits are applied once; --append applies them again")
    func presets() throws {
        _ = try bench.json(["edit", ids[0]] + toned)
        _ = try bench.json("preset", "save", "look", "--from", ids[0])
        for command in [["edit", ids[1], "--preset", "look"], ["copy-edits", ids[0], ids[2]]] {
            #expect(try statuses(command) == ["committed"])
            #expect(try statuses(command) == ["unchanged"])
            #expect(try statuses(command + ["--append"]) == ["committed"])
            #expect(try statuses(command) == ["unchanged"])
        }
        #expect(try statuses(["edit", ids[0], "--preset", "look"]) == ["unchanged"])
        #expect(try statuses(["edit", ids[0], "--from", ids[1]]) == ["committed"])
        for id in ids[1...] { #expect(try edits(id).count == 4) }
        // Edits below others, and disabled edits, are not the last ones.
        _ = try bench.json("revert", ids[1])
        _ = try bench.json("edit", ids[1], "--preset", "look")
        _ = try bench.json("edits", "disable", ids[1], "2")
        #expect(try statuses(["edit", ids[1], "--preset", "look"]) == ["committed"])
        #expect(try statuses(["edit", ids[1], "--preset", "look"]) == ["unchanged"])
        #expect(try edits(ids[1]).count == 4)
    }

    @Test("--append adds an edit that would continue the last one, or that is already there")
    func append() throws {
        let sepia = ["edit", ids[0], "--with", "sepia", "--set", "intensity=0.5"]
        #expect(try statuses(sepia) == ["committed"])
        #expect(try statuses(sepia) == ["unchanged"])
        #expect(try statuses(sepia + ["--append"]) == ["committed"])
        #expect(try intensities(ids[0]) == [0.5, 0.5])
        #expect(try statuses(["edit", ids[1]] + toned) == ["committed"])
        // Options of the command are also accepted after `--then`.
        #expect(try statuses(["edit", ids[1]] + toned + ["--append"]) == ["committed"])
        #expect(try edits(ids[1]).count == 4)
    }

    @Test("--replace replaces the whole edit stack, unless it is already that")
    func replace() throws {
        _ = try bench.json("edit", ids[0], "--with", "sepia", "--set", "intensity=0.25")
        _ = try bench.json("edit", ids[0], "--with", "croprotate", "--set", "turns=2")
        let alone = [
            "edit", ids[0], "--replace", "--with", "sepia", "--set", "intensity=0.5",
        ]
        #expect(try statuses(alone) == ["committed"])
        #expect(try statuses(alone) == ["unchanged"])
        #expect(try intensities(ids[0]) == [0.5] && edits(ids[0]) == ["sepia"])
        let several = ["edit", ids[0], "--replace"] + toned
        #expect(try statuses(several) == ["committed"])
        #expect(try statuses(several) == ["unchanged"])
        #expect(try edits(ids[0]) == ["sepia", "croprotate"])
        _ = try bench.json("preset", "save", "look", "--from", ids[0])
        _ = try bench.json("edit", ids[0], "--with", "sepia")
        for command in [
            ["edit", ids[0], "--replace", "--preset", "look"],
            ["edit", ids[1], "--replace", "--from", ids[0]],
        ] {
            #expect(try statuses(command) == ["committed"])
            #expect(try statuses(command) == ["unchanged"])
        }
        #expect(try edits(ids[0]) == ["sepia", "croprotate"])
        _ = try bench.json("undo", ids[0])
        #expect(try edits(ids[0]).count == 3)
    }

    @Test("the same edits of another version of an extension are unchanged")
    func otherVersion() throws {
        let extensions = bench.folder.file("extensions")
        try TestExtension.buildAdder(in: extensions)
        let command = ["edit", ids[0], "--with", "adder", "--set", "amount=7", "--then", "sepia"]
        #expect(try statuses(command) == ["committed"])
        _ = try bench.json("preset", "save", "look", "--from", ids[0])
        try TestExtension.buildAdder(
            defines: ["VERSION=\"7.1\""], manifest: ["version": "7.1"], in: extensions)
        for repeated in [command, ["edit", ids[0], "--preset", "look"]] {
            #expect(try statuses(repeated) == ["unchanged"])
        }
        for replaced in [
            ["edit", ids[0], "--replace", "--preset", "look"], ["copy-edits", ids[0], ids[1]],
            ["copy-edits", ids[0], ids[1]],
        ] {
            _ = try statuses(replaced)
        }
        #expect(try edits(ids[0]) == ["adder", "sepia"])
        #expect(try edits(ids[1]) == ["adder", "sepia"])
        #expect(try bench.position(ids[0]) == (1, 1))
    }

    @Test("edits with files are compared by their contents")
    func files() throws {
        try TestExtension.buildCube(in: bench.folder.file("extensions"))
        func table(_ shade: String) throws -> String {
            try bench.folder.write(
                Data("LUT_3D_SIZE 2\n\(String(repeating: "\(shade)\n", count: 8))".utf8),
                to: "table.cube")
        }
        let command = [
            "edit", ids[0], "--with", "cube", "--set", "lut=\(try table("0.1 0.2 0.3"))",
            "--then", "sepia",
        ]
        #expect(try statuses(command) == ["committed"])
        #expect(try statuses(command) == ["unchanged"])
        _ = try table("0.3 0.2 0.1")
        #expect(try statuses(command) == ["committed"])
        #expect(try edits(ids[0]).count == 4)
    }

    @Test("conflicting places and steps are usage errors")
    func wrong() throws {
        for words in [
            ["--append", "--replace"], ["--step", "1", "--append"], ["--step", "1", "--replace"],
            ["--append", "--then", "croprotate", "--replace"],
        ] {
            let result = try bench.run(["edit", ids[0], "--with", "sepia"] + words)
            #expect(result.status == 64, "\(words): \(result.errors)")
        }
        #expect(try edits(ids[0]).isEmpty)
    }
}
