// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@testable import Library

@Suite struct EditingTests {
    @Test("A-06 K-02 K-11 previous, current and last recipe can be read back")
    func previousAndCurrent() throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let id = try library.importAsset("original").localIdentifier

        let first = try library.edit(id, recipe: "one", render: "after one")
        #expect(first.adjustmentFormatIdentifier == "org.example.filter")
        var history = try library.history(ofAsset: id)
        #expect(try library.text(history.original?.blob) == "original")
        #expect(history.chain.map(\.adjustmentData) == [try .sample("one")])
        #expect(try library.text(history.currentState?.tip?.current?.blob) == "after one")

        try library.edit(id, recipe: "two", render: "after two")
        history = try library.history(ofAsset: id)
        #expect(history.chain.count == 2)
        #expect(history.chain.last?.adjustmentData == (try .sample("two")))
        #expect(history.chain.last?.editingExtension == .sample)
        #expect(history.chain.last?.parentIdentifier == history.chain.first?.identifier)
        #expect(try library.text(history.chain.last?.current?.blob) == "after two")
        // The previous version is the state that the second edit was given.
        #expect(try library.text(history.chain.first?.current?.blob) == "after one")
        let reopened = try temporary.reopen()
        #expect(try reopened.history(ofAsset: id) == history)
    }
}
