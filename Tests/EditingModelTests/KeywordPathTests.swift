// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Testing

/// Keywords with their places in hierarchies.
@Suite("keyword paths")
struct KeywordPathTests {
    @Test(
        "bars separate levels, and white space and empty names are dropped",
        arguments: [
            ("Places|Iceland", ["Places", "Iceland"]), (" a | b ||c|", ["a", "b", "c"]),
            ("f/2.8", ["f/2.8"]), ("|", ["|"]), ("", [""]),
        ])
    func names(text: String, names: [String]) {
        #expect(KeywordPath(text).names == names)
    }

    @Test(
        "a branch is named by its outer levels, or by the name of any level",
        arguments: [
            ("Travel|Italy|Rome", "Travel", true), ("Travel|Italy|Rome", "Italy", true),
            ("Travel|Italy|Rome", "Rome", true), ("Travel|Italy|Rome", "Travel/Italy", true),
            ("Travel|Italy|Rome", "Travel|Italy", true), ("Travel|Italy", "Travel/It", false),
            ("Travel|Italy|Rome", "Italy/Rome", false), ("Travel", "Travel/Italy", false),
            ("f/2.8", "f/2.8", true), ("Lens|f/2.8", "f/2.8", true), ("travel", "Travel", false),
            ("caf\u{E9}|x", "cafe\u{301}", true), ("Travels|Italy", "Travel", false),
        ])
    func branch(keyword: String, name: String, isIn: Bool) {
        #expect(KeywordPath(keyword).isInBranch(name) == isIn)
    }

    @Test(
        "names that contain the separator are not split if they are known",
        arguments: [
            ("Lens/f/2.8", ["Lens", "f/2.8"]), ("f/2.8/x", ["f/2.8", "x"]),
            ("f/2.8", ["f/2.8"]), ("a/b/c", ["a", "b", "c"]), ("f/2.8/f/2.8", ["f/2.8", "f/2.8"]),
        ])
    func joinedNames(text: String, names: [String]) {
        let path = KeywordPath(text, separator: "/", joining: ["f/2.8", "Lens", "c", "a/b/c"])
        #expect(path.names == names)
    }

    @Test("plain keywords that are levels of a hierarchy are not repeated")
    func joining() {
        let paths = ["Places", "Places|Europe|Iceland", "boat"].map { KeywordPath($0) }
        let plain = ["Iceland", "Europe", "Places", "sea", "boat"]
        #expect(
            KeywordPath.joining(plain, paths) == ["Places", "sea", "boat", "Places|Europe|Iceland"])
        #expect(KeywordPath.joining(plain, []) == plain)
        #expect(KeywordPath.names(of: ["a|b", "b", "c"]) == ["b", "c"])
        #expect(KeywordPath.allNames(of: ["a|b", "b", "a|c"]) == ["a", "b", "c"])
    }
}
