// SPDX-License-Identifier: Apache-2.0

import Testing

/// A library of referenced originals.
extension LibraryDay {
    /// Describes referenced originals in sidecars beside them, and imports these elsewhere.
    mutating func describeReferenced() throws {
        let before = try contents("tree")
        let first = try bench.run("import", "--reference", "tree", "--json")
        #expect(first.status == 1)
        #expect(try fates(first.objects) == tree.files)
        try expectValues()
        #expect(try bench.json("set", "--all", "--creator", "Ada").count == count)
        for name in tree.values.keys { tree.expect("creator", "Ada", of: name) }
        let words = ["metadata", "write", "--all"]
        #expect(try statuses(words) == ["written": count])
        let after = try contents("tree")
        let again = try unchanged { try statuses(words) }
        #expect(again == ["unchanged": count])
        #expect(try contents("tree") == after)
        // The sidecars of three programs are updated; all other photos get a new one.
        let changed = before.filter { after[$0.key] != $0.value }.keys
        #expect(changed.count == 3 * tree.years)
        #expect(changed.allSatisfy { $0.hasSuffix(".xmp") }, "\(changed)")
        let new = Set(after.keys).subtracting(before.keys)
        #expect(new.count == count - 3 * tree.years)
        #expect(new.allSatisfy { $0.hasSuffix(".xmp") && before[String($0.dropLast(4))] != nil })
        let known = tree.unchangedFiles.merging(new.map { ($0, "duplicate") }) { $1 }
        let rows = try unchanged { try bench.json("import", "--reference", "tree") }
        #expect(try fates(rows) == known)
        #expect(try bench.run("check", "--read-data", "100").status == 0)
        let library = ["--library", bench.folder.file("New.editlibrary")]
        let imported = try bench.run(["import", "tree", "--json"] + library)
        let files = tree.files.merging(new.map { ($0, "imported") }) { $1 }
        #expect(try fates(imported.objects) == files)
        try expectValues(library)
    }
}
