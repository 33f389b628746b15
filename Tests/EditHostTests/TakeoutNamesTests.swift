// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Testing

@testable import EditHost

/// The names of JSON files of Google Takeout.
@Suite("names in Google Takeout")
struct TakeoutNamesTests {
    private static let long = "IMG_20190101_120000_a_name_that_is_too_long_to.jpg"

    private func owner(of json: String, among names: [String]) -> String? {
        TakeoutNames(names.map { FileName("/a/" + $0) }).owner(of: FileName("/a/" + json))
            .map { String($0.text.dropFirst(3)) }
    }

    @Test(
        "a JSON file belongs to the picture that it names",
        arguments: [
            ("a.jpg.json", "a.jpg"), ("a.JPG.json", "a.JPG"), ("a.mp4.json", "a.mp4"),
            ("a.jpg.supplemental-metadata.json", "a.jpg"), ("a.jpg.supplemental-me.json", "a.jpg"),
            ("a.jpg.s.json", "a.jpg"), ("a.jpg..json", "a.jpg"), ("a.json", nil),
            ("a.jpg(1).json", "a(1).jpg"), ("a.jpg.supplemental-metadata(1).json", "a(1).jpg"),
            ("a.jpg.suppl(12).json", "a(12).jpg"), ("a(1).jpg.json", "a(1).jpg"),
            ("a.jpg(2).json", nil), ("a.jpg.supplements.json", nil), ("metadata.json", nil),
            ("b.json", "b.png"), ("c.heic.json", "c-edited.heic"),
            ("c.heic.supplemental-metadata.json", "c-edited.heic"), ("other/a.jpg.json", nil),
            ("a.jpg.xmp", nil), ("a.jpg(x).json", nil), ("(1).json", nil), (".json", nil),
            (String(long.prefix(46)) + ".json", long),
            (String(long.prefix(43)) + "(1).json", "1" + long),
            (String(long.prefix(45)) + ".json", nil),
        ] as [(String, String?)])
    func owners(json: String, expected: String?) {
        let numbered = String(Self.long.dropLast(4)) + "(1).jpg"
        let found = owner(
            of: json,
            among: [
                "a.jpg", "a.JPG", "a.mp4", "a(1).jpg", "a(12).jpg", "b.png", "c-edited.heic",
                Self.long, numbered, "a.jpg.json", "notes.txt",
            ])
        #expect(found == (expected == "1" + Self.long ? numbered : expected))
    }

    @Test("a truncated name that fits two pictures belongs to none")
    func ambiguous() {
        let start = String(repeating: "x", count: 46)
        #expect(owner(of: start + ".json", among: [start + "1.jpg"]) == start + "1.jpg")
        #expect(owner(of: start + ".json", among: [start + "1.jpg", start + "2.jpg"]) == nil)
        #expect(owner(of: "b.json", among: ["b.jpg", "b.png"]) == nil)
    }

    @Test("the time to find truncated names grows with their number only", .timeLimit(.minutes(1)))
    func many() {
        let start = String(repeating: "x", count: 40)
        let numbers = 100_000..<120_000
        let names = numbers.map { FileName("/a/\(start)\($0)_more.jpg") }
        let takeout = TakeoutNames(names)
        #expect(
            numbers.compactMap { takeout.owner(of: FileName("/a/\(start)\($0).json")) } == names)
    }

    private func groups(_ names: String...) -> [[String]] {
        ImportGroup.groups(of: names.map { "/a/" + $0 }).map { group in
            ([group.primary] + group.companions).map { String($0.dropFirst(3)) }
                + group.borrowed.map { "<" + $0.dropFirst(3) }
        }
    }

    @Test(
        "the suffix of an edited version is recognised in the account's language",
        arguments: [
            "-bearbeitet", "-bewerkt", "-editado", "-editat", "-edytowane", "-ha editado",
            "-modificato", "-modifi\u{E9}", "-modifie\u{301}", "-編集済み",
        ])
    func languages(suffix: String) {
        let edited = FileName("/a/a\(suffix)(1).jpg")
        let json = FileName("/a/a.jpg(1).json")
        let names = TakeoutNames([FileName("/a/a(1).jpg"), edited, json])
        #expect(names.original(of: edited) == FileName("/a/a(1).jpg"))
        #expect(names.owner(of: json) == FileName("/a/a(1).jpg"))
        #expect(TakeoutNames([edited, json]).owner(of: json) == edited)
    }

    @Test("edited versions share the JSON file, and Live Photos and RAW files have one")
    func grouped() {
        #expect(groups("a.jpg", "a.jpg.json", "b.json") == [["a.jpg", "a.jpg.json"], ["b.json"]])
        #expect(
            groups("a.jpg", "a.jpg.json", "a-edited.jpg")
                == [["a.jpg", "a.jpg.json"], ["a-edited.jpg", "<a.jpg.json"]])
        #expect(
            groups("a(1).heic", "a.heic(1).json", "a-edited(1).jpg")
                == [["a(1).heic", "a.heic(1).json"], ["a-edited(1).jpg", "<a.heic(1).json"]])
        #expect(
            groups("a-edited.jpg", "a.jpg.json") == [["a-edited.jpg", "a.jpg.json"]])
        #expect(
            groups("a.heic", "a.mov", "a.heic.json") == [["a.heic", "a.mov", "a.heic.json"]])
        #expect(
            groups("a.jpg", "a.dng", "a.dng.json", "a.jpg.xmp")
                == [["a.jpg", "a.dng", "a.dng.json", "a.jpg.xmp"]])
        #expect(groups("a.dng", "a.dng.json") == [["a.dng"], ["a.dng.json"]])
    }
}
