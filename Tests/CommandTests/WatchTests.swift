// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@Suite("watch") struct WatchTests {
    /// The JSON lines that a running watch has printed.
    private func lines(_ watch: RunningCommand) -> [[String: Any]] {
        watch.output.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        }
    }

    /// Waits until a watch has printed this many lines, for up to ten times the promised time.
    private func wait(_ watch: RunningCommand, for count: Int) throws -> [[String: Any]] {
        for _ in 0..<1000 {
            let lines = lines(watch)
            if lines.count >= count { return lines }
            usleep(10_000)
        }
        throw RunningCommand.TooLate(description: "watch printed only: \(watch.output)")
    }

    @Test("O-02 watch in one terminal shows edit, favorite and album add from another")
    func twoTerminals() throws {
        let bench = try Workbench(extensions: ["SepiaFilter"])
        let id = try bench.importPicture()
        #expect(try bench.run("album", "create", "Holiday").status == 0)
        let watch = try RunningCommand(bench, ["watch", "--json"])
        try blockUntil("the watch has begun") { watch.output.contains("watching from") }

        #expect(try bench.run("edit", id, "--with", "sepia").status == 0)
        let edit = try wait(watch, for: 1)[0]
        #expect(edit["kind"] as? String == "updated" && edit["type"] as? String == "asset")
        #expect(edit["ids"] as? [String] == [id])
        #expect(edit["changed"] as? [String] == ["edits"])
        #expect(try bench.run("favorite", id).status == 0)
        let marked = try wait(watch, for: 2)[1]
        #expect(marked["ids"] as? [String] == [id])
        #expect(marked["changed"] as? [String] == ["metadata"])
        #expect(try bench.run("album", "add", "Holiday", id).status == 0)
        let added = try wait(watch, for: 3)[2]
        #expect(added["type"] as? String == "collection" && added["kind"] as? String == "updated")
        #expect((added["ids"] as? [String])?.count == 1)
        #expect(added["changed"] as? [String] == ["contents"])
        #expect(try bench.run("delete", id, "--permanently").status == 0)
        let removed = try wait(watch, for: 4)
        #expect(removed[3]["kind"] as? String == "removed")
        watch.send(SIGINT)
        #expect(try watch.status() == 130)

        // Later runs print the changes after a token exactly as the watch did.
        let token = try #require(edit["token"] as? String)
        let missed = try bench.json("watch", "--since", token, "--no-wait")
        let printed = lines(watch).dropFirst()
        #expect(missed.count == printed.count)
        #expect(missed.map { $0 as NSDictionary } == printed.map { $0 as NSDictionary })
        #expect(try bench.json("watch", "--since", "start", "--no-wait").count > missed.count)
        #expect(try bench.json("watch", "--no-wait").isEmpty)
    }

    @Test("photos that are moved to the trash are trashed, and restored ones are updated")
    func trash() throws {
        let (bench, ids) = try Workbench.withPhotos(3)
        let token = try #require(
            try bench.json("watch", "--since", "start", "--no-wait").last?["token"] as? String)
        _ = try bench.json("delete", ids[0], ids[1])
        func events() throws -> [[String]] {
            try bench.json("watch", "--since", token, "--no-wait").map { row in
                let changed = row["changed"] as? [String] ?? ["?"]
                return try [#require(row["kind"] as? String)] + changed
                    + #require(row["ids"] as? [String]).sorted()
            }
        }
        #expect(try events() == [["trashed"] + [ids[0], ids[1]].sorted()])
        let text = try bench.run("watch", "--since", token, "--no-wait").output
        #expect(text.contains("2 assets trashed  "), "\(text)")
        _ = try bench.json("trash", "restore", ids[0])
        // The history does not record that the first change trashed the restored photo.
        #expect(
            try events() == [
                ["updated", "metadata", ids[0]], ["trashed", ids[1]],
                ["updated", "metadata", ids[0]],
            ])
        _ = try bench.json("trash", "empty")
        #expect(try events().last == ["removed", ids[1]])
    }

    @Test("an invalid token or one of another library is rejected with a reason")
    func wrongTokens() throws {
        let bench = try Workbench()
        _ = try bench.importPicture()
        let nonsense = try bench.run("watch", "--since", "yesterday", "--no-wait")
        #expect(nonsense.status == 64 && nonsense.errors.contains("yesterday"))
        let other = "1@00000000-0000-4000-8000-000000000000"
        let foreign = try bench.run("watch", "--since", other, "--no-wait")
        #expect(foreign.status == 64 && foreign.errors.contains("another library"))
        #expect(foreign.output.isEmpty)
    }
}
