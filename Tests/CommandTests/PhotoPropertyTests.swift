// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `favorite`, `hide`, `set` and `delete`.
@Suite("photo properties")
struct PhotoPropertyTests {
    @Test("favorite and hide change several photos at once, and back")
    func flags() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let favorites = try bench.json("favorite", ids[0], ids[2])
        #expect(favorites.map { $0["id"] as? String } == [ids[0], ids[2]])
        #expect(favorites.allSatisfy { $0["isFavorite"] as? Bool == true })
        #expect(Set(try bench.listed("--favorite")) == [ids[0], ids[2]])
        _ = try bench.json("favorite", "--off", ids[0])
        #expect(try bench.listed("--favorite") == [ids[2]])

        _ = try bench.json("hide", ids[1])
        #expect(Set(try bench.listed()) == [ids[0], ids[2]])
        #expect(Set(try bench.listed("--hidden")) == Set(ids))
        _ = try bench.json("hide", "--off", ids[1])
        #expect(Set(try bench.listed()) == Set(ids))
    }

    @Test("P-07 set stores date and location, none clears them, and the original is unchanged")
    func dateAndPlace() throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let set = try bench.json(
            "set", ids[0], "--date", "2024-05-31T18:30:00+02:00", "--location", "-33.5,151.25")
        #expect(set[0]["creationDate"] as? String == "2024-05-31T18:30:00+02:00")
        let place = try #require(set[0]["location"] as? [String: Any])
        #expect(place["latitude"] as? Double == -33.5)
        #expect(place["longitude"] as? Double == 151.25)
        #expect(try bench.listed("--since", "2024-05-31", "--until", "2024-05-31") == ids)
        #expect(try bench.listed("--near", "-33.5,151.25,1") == ids)

        // A date without a time gets no invented time.
        let day = try bench.json("set", ids[0], "--date", "2024-05-30")
        #expect(day[0]["creationDate"] as? String == "2024-05-30")
        #expect(try bench.listed("--since", "2024-05-30", "--until", "2024-05-30") == ids)

        let unset = try bench.json("set", ids[0], "--date", "none", "--location", "none")
        #expect(unset[0]["creationDate"] is NSNull)
        #expect(unset[0]["location"] is NSNull)
        #expect(try bench.run("check", "--read-data", "100").status == 0)
    }

    @Test("set adds and removes keywords; show prints them and --text searches them")
    func keywords() throws {
        let (bench, ids) = try Workbench.withPhotos(2)
        _ = try bench.json("set", ids[0], ids[1], "--keyword", "lake", "--keyword", "Sommer 2024")
        _ = try bench.json("set", ids[1], "--remove-keyword", "lake", "--keyword", "hill")
        let shown = try bench.json("show", ids[1])
        #expect(shown[0]["keywords"] as? [String] == ["Sommer 2024", "hill"])
        #expect(try bench.listed("--text", "LAKE") == [ids[0]])
        #expect(Set(try bench.listed("--text", "sommer")) == Set(ids))
        #expect(try bench.listed("--text", "nothing").isEmpty)
        let refused = try bench.run("set", ids[0], "--keyword", " ")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("keyword"))
        #expect(try bench.listed("--text", "lake") == [ids[0]])
    }

    @Test("set creates bursts, picks frames and sets the representative")
    func bursts() throws {
        let (bench, ids) = try Workbench.withPhotos(4)
        _ = try bench.json("set", ids[0], ids[1], ids[2], "--burst", "mine")
        #expect(Set(try bench.listed()) == [ids[0], ids[3]])
        #expect(Set(try bench.listed("--burst", "mine")) == [ids[0], ids[1], ids[2]])
        _ = try bench.json("set", ids[1], "--represents-burst")
        #expect(Set(try bench.listed()) == [ids[1], ids[3]])
        _ = try bench.json("set", ids[2], "--burst-pick")
        #expect(Set(try bench.listed()) == [ids[1], ids[2], ids[3]])
        let shown = try ids.map { try #require(try bench.json("show", $0).first) }
        #expect(shown.map { $0["representsBurst"] as? Bool } == [false, true, false, false])
        let types = shown.map { $0["burstSelectionTypes"] as? [String] ?? [] }
        #expect(types.map { $0.contains("userPick") } == [false, false, true, false])
        #expect(try bench.run("show", ids[1]).output.contains("mine, representative"))
        let picked = try bench.run("set", ids[2], "--burst-pick")
        #expect(picked.output.contains(", burst mine, picked"))
        #expect(try bench.json("list").allSatisfy { $0["representsBurst"] == nil })
        _ = try bench.json("delete", ids[1])
        #expect(Set(try bench.listed()) == [ids[2], ids[3]])
        _ = try bench.json("set", ids[2], "--no-burst-pick")
        let left = try bench.json("set", ids[0], "--burst", "none")
        #expect(left[0]["burstIdentifier"] is NSNull)
        #expect(Set(try bench.listed()) == [ids[0], ids[2], ids[3]])
        #expect(try bench.run("set", ids[3], "--burst-pick").status == 64)
        #expect(try bench.run("set", ids[0], ids[3], "--represents-burst").status == 64)
    }

    @Test("P-16 a burst made with set has an automatic pick, which delete and set move")
    func automaticPick() throws {
        let (bench, ids) = try Workbench.withPhotos(4)
        func picked(among ids: [String]) throws -> [String] {
            try ids.filter { id in
                let shown = try #require(try bench.json("show", id).first)
                return try #require(shown["burstSelectionTypes"] as? [String]).contains("autoPick")
            }
        }
        _ = try bench.json(["set"] + ids + ["--burst", "mine"])
        let first = try picked(among: ids)
        try #require(first.count == 1)
        _ = try bench.json("delete", first[0])
        var left = ids.filter { $0 != first[0] }
        let second = try picked(among: left)
        try #require(second.count == 1)
        _ = try bench.json("set", second[0], "--burst", "none")
        #expect(try picked(among: second) == [])
        left.removeAll { $0 == second[0] }
        #expect(try picked(among: left).count == 1)
    }

    @Test(
        "set rejects invalid dates and locations and changes nothing",
        arguments: [
            ["--date", "2024-02-30"], ["--date", "yesterday"],
            ["--date", "9999-12-31T23:59:59.9999"], ["--location", "91,0"],
            ["--location", "0,0"], ["--location", "12"], [],
        ])
    func refused(arguments: [String]) throws {
        let (bench, ids) = try Workbench.withPhotos(1)
        let before = try bench.json("list")
        let result = try bench.run(["set", ids[0]] + arguments)
        #expect(result.status == 64)
        #expect(NSArray(array: try bench.json("list")) == NSArray(array: before))
    }

    @Test("rerender and export accept the filters of list instead of identifiers")
    func filters() throws {
        let (bench, ids) = try Workbench.withPhotos(3, extensions: ["SepiaFilter"])
        _ = try bench.json("edit", ids[1], ids[2], "--with", "sepia")
        _ = try bench.json("hide", ids[2])
        func rendered(_ arguments: String...) throws -> Set<String> {
            let result = try bench.run(["rerender", "--force", "--json"] + arguments)
            try #require(result.status == 0, "\(result.errors)")
            return try bench.identifiers(in: result.output)
        }
        #expect(try rendered("--edited") == [ids[1]])
        #expect(try rendered("--edited-by", "sepia", "--hidden") == [ids[1], ids[2]])
        #expect(try rendered("--all", "--edited") == [ids[1], ids[2]])
        let exported = try bench.json("export", "--edited", "--to", bench.folder.file("out"))
        #expect(exported.map { $0["id"] as? String } == [ids[1]])
        #expect(try bench.run("export", ids[0], "--edited", "--to", "x").status == 64)
        // `--hidden` is not a filter and selects no photos.
        #expect(try bench.run("rerender", "--hidden").status == 64)
    }

    @Test("rerender and export sort and limit, with filters and with --all")
    func order() throws {
        let (bench, ids) = try Workbench.withPhotos(4)
        _ = try bench.json("hide", ids[3])
        func exported(_ arguments: String...) throws -> [String?] {
            let result = try bench.run(["export", "--json", "--to", "out"] + arguments)
            try #require(result.status == 0, "\(result.errors)")
            return try result.objects.map { $0["id"] as? String }
        }
        #expect(try exported("--all", "--limit", "2") == [ids[0], ids[1]])
        #expect(try exported("--all", "--sort", "name:desc", "--limit", "2") == [ids[3], ids[2]])
        #expect(
            try exported("--text", "picture", "--sort", "added:desc") == [ids[2], ids[1], ids[0]])
        #expect(try exported("--text", "picture", "--sort", "name", "--limit", "1") == [ids[0]])
        let rendered = try bench.json("rerender", "--all", "--sort", "name:desc", "--limit", "2")
        #expect(Set(rendered.compactMap { $0["id"] as? String }) == [ids[2], ids[3]])
    }

    @Test("delete is all or nothing, with and without the trash", arguments: [false, true])
    func delete(permanently: Bool) throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let options = permanently ? ["--permanently"] : []
        let refused = try bench.run(["delete", ids[0], "0123456789"] + options)
        #expect(refused.status == 66)
        #expect(Set(try bench.listed()) == Set(ids))
        let deleted = try bench.json(["delete", ids[0], ids[1]] + options)
        #expect(deleted.map { $0["id"] as? String } == [ids[0], ids[1]])
        #expect(try bench.listed() == [ids[2]])
        #expect(try bench.json("trash", "list").count == (permanently ? 0 : 2))
        #expect(try bench.run("prune").status == 0)
        #expect(try bench.run("check", "--read-data", "100").status == 0)
    }
}

extension Workbench {
    /// The identifiers that `list` prints.
    func listed(_ arguments: String...) throws -> [String] {
        let result = try run(["list", "--json"] + arguments)
        try #require(result.status == 0, "\(result.errors)")
        return try lines(result.output)
    }

    /// The identifiers in the `--json` output of a command.
    func identifiers(in output: String) throws -> Set<String> {
        Set(try lines(output))
    }

    private func lines(_ output: String) throws -> [String] {
        try output.split(separator: "\n").compactMap {
            let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
            return (object as? [String: Any])?["id"] as? String
        }
    }
}
