// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHostCommand

/// The photos of commands that change them: by identifier, by filters, or all.
@Suite("selections")
struct SelectionTests {
    private let bench: Workbench
    private let ids: [String]

    /// Imports four pictures with the ratings 1, 3, 5 and none. The first is a favourite.
    init() throws {
        (bench, ids) = try Workbench.withPhotos(4)
        for (id, rating) in zip(ids, ["1", "3", "5"]) {
            _ = try bench.json("set", id, "--rating", rating)
        }
        _ = try bench.json("favorite", ids[0])
    }

    /// The numbers of the photos in the output of a command.
    private func chosen(_ arguments: String...) throws -> [Int] {
        try bench.json(arguments).map { row in
            try #require(ids.firstIndex { $0 == row["id"] as? String })
        }
    }

    /// The commands that select several photos.
    private static let selecting = NamedCommand.all.filter { $0.type is any AssetCommand.Type }

    @Test("every command on several photos takes the same filters", arguments: selecting)
    func filters(command: NamedCommand) {
        let help = command.type.helpMessage(columns: 1000)
        for name in [
            "album", "media-type", "subtype", "favorite", "hidden", "edited", "edited-by",
            "format-identifier", "burst", "since", "until", "near", "missing", "text", "rating",
            "label", "sort", "limit", "all",
        ] {
            #expect(help.contains("--\(name)"), "\(name)")
        }
    }

    @Test("the commands that change photos are among them")
    func commands() {
        let names = Self.selecting.map { $0.words.dropFirst().joined(separator: " ") }
        for name in [
            "set", "favorite", "hide", "delete", "album add", "album move", "album remove",
        ] {
            #expect(names.contains(name))
        }
    }

    @Test("filters select the photos to mark, describe and delete")
    func changes() throws {
        #expect(try chosen("favorite", "--rating", "3..", "--sort", "added:desc") == [2, 1])
        #expect(try chosen("list", "--favorite") == [0, 1, 2])
        #expect(try chosen("favorite", "--favorite", "--limit", "1", "--off") == [0])
        #expect(try chosen("hide", "--rating", "none") == [3])
        #expect(try chosen("set", "--with-rating", "3..", "--rating", "2") == [1, 2])
        #expect(try chosen("set", "--all", "--keyword", "x", "--title", "T") == [0, 1, 2, 3])
        #expect(try chosen("hide", "--all", "--off") == [0, 1, 2, 3])
        #expect(try chosen("set", "--text", "T", "--with-rating", "1", "--label", "Red") == [0])
        #expect(try chosen("set", "--with-label", "red", "--label", "") == [0])
        #expect(try chosen("delete", "--rating", "2") == [1, 2])
        #expect(try chosen("list") == [0, 3])
    }

    @Test("filters select the photos of an album, and their order in it")
    func album() throws {
        _ = try bench.json("album", "create", "A")
        _ = try bench.json("album", "add", "A", "--all")
        #expect(try chosen("list", "--album", "A") == [0, 1, 2, 3])
        _ = try bench.json("album", "move", "A", "--rating", "3..", "--to-start")
        #expect(try chosen("list", "--album", "A") == [1, 2, 0, 3])
        _ = try bench.json("album", "move", "A", "--favorite", "--after", ids[1])
        #expect(try chosen("list", "--album", "A") == [1, 0, 2, 3])
    }

    @Test(
        "a selection is required, and only one kind of it is accepted",
        arguments: [
            ["favorite"], ["hide", "--off"], ["delete"], ["set", "--rating", "4"],
            ["album", "move", "A", "--to-end"], ["delete", "--hidden"], ["delete", "--limit", "1"],
        ])
    func usage(words: [String]) throws {
        let none = try bench.run(words)
        #expect(none.status == 64)
        #expect(none.errors.contains("Give at least one identifier or filter"), "\(none.errors)")
        for (more, message) in [
            ([ids[0], "--all"], "Give identifiers or --all, not both."),
            ([ids[0], "--favorite"], "Give identifiers or filters, not both."),
        ] where !words.contains("--limit") {
            let both = try bench.run(words + more)
            #expect(both.status == 64 && both.errors.contains(message), "\(both.errors)")
        }
        #expect(try chosen("list") == [0, 1, 2, 3])
    }

    @Test("an empty filter is rejected instead of selecting every photo")
    func blank() throws {
        for name in ["album", "text", "label", "keyword", "camera", "lens", "burst", "edited-by"] {
            for value in ["", " \t"] {
                let result = try bench.run("delete", "--\(name)", value)
                #expect(result.status == 64, "\(name): \(result.errors)")
                #expect(result.errors.contains("--\(name) is empty"), "\(result.errors)")
            }
        }
        let set = try bench.run("set", "--with-label", "", "--rating", "1")
        #expect(set.status == 64 && set.errors.contains("--with-label is empty"), "\(set.errors)")
        #expect(try chosen("list") == [0, 1, 2, 3])
    }

    @Test("a selection without photos changes nothing")
    func nothing() throws {
        for words in [
            ["set", "--with-rating", "4", "--title", "x"], ["delete", "--rating", "4"],
            ["favorite", "--text", "nowhere"],
        ] {
            let result = try bench.run(words)
            #expect(result.status == 0 && result.output.isEmpty)
            #expect(result.errors == "edithost: no photos are selected\n")
        }
        for command in ["delete -", "hide -", "set - --rating 4"] {
            let result = try runProgram(
                "/bin/sh", ["-c", "printf '' | $0 \(command)", Workbench.command],
                environment: bench.environment())
            #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
        }
        #expect(try chosen("list") == [0, 1, 2, 3])
        #expect(try chosen("list", "--rating", "4") == [])
    }

    @Test("if one photo cannot be changed, none is")
    func allOrNothing() throws {
        _ = try bench.json("album", "create", "A")
        _ = try bench.json("album", "add", "A", ids[0])
        let moved = try bench.run("album", "move", "A", "--all", "--to-start")
        #expect(moved.status != 0)
        #expect(try chosen("list", "--album", "A") == [0])
        for words in [
            ["favorite", ids[1], "nonsense"], ["set", ids[1], "nonsense", "--rating", "5"],
            ["delete", ids[1], "nonsense"],
        ] {
            #expect(try bench.run(words).status == 66)
        }
        #expect(try chosen("list", "--favorite") == [0])
        #expect(try chosen("list", "--rating", "5") == [2])
    }
}
