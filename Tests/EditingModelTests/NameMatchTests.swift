// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Testing

/// Matching of typed names to existing ones.
@Suite("name matching")
struct NameMatchTests {
    @Test("equal bytes precede equal characters, which precede another case")
    func order() {
        let (composed, decomposed) = ("\u{E9}t\u{E9}", "e\u{301}te\u{301}")
        #expect(NameMatch(composed, among: ["x", decomposed]) == .one(decomposed))
        #expect(NameMatch("\u{C9}T\u{C9}", among: [composed]) == .one(composed))
        #expect(NameMatch("Summer", among: ["summer", "Summer"]) == .one("Summer"))
        #expect(
            NameMatch("SUMMER", among: ["summer", "Summer"]) == .several(["summer", "Summer"]))
        #expect(NameMatch("ete", among: [composed, decomposed]) == .none)
        #expect(NameMatch("", among: []) == .none)
    }

    @Test("of two names with the same characters, the one with the same bytes matches")
    func twins() throws {
        let twins = ["\u{E9}t\u{E9}", "e\u{301}te\u{301}", "\u{E9}te\u{301}"]
        for name in twins {
            guard case .one(let found) = NameMatch(name, among: twins) else {
                Issue.record("\(name) means none, or several")
                continue
            }
            #expect(found.unicodeScalars.elementsEqual(name.unicodeScalars))
        }
        #expect(NameMatch("e\u{301}t\u{E9}", among: twins) == .several(twins))
    }
}
