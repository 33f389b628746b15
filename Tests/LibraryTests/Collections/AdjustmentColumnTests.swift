// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import GRDB
import Testing

@testable import Library

/// Queries about edits that do not read recipes.
@Suite("adjustment columns") struct AdjustmentColumnTests {
    @Test(
        "K-21 hasAdjustments and the format are queried through an index, without recipes",
        arguments: [
            AssetPredicate.hasAdjustments,
            .text(.adjustmentFormatIdentifier, .equal("org.example.filter")),
        ])
    func indexed(predicate: AssetPredicate) throws {
        let temporary = try TemporaryLibrary()
        let library = temporary.library
        let edited = try library.importAsset("edited")
        let plain = try library.importAsset("plain")
        try library.edit(edited.id, recipe: "sepia", render: "rendered")
        var options = FetchOptions()
        options.predicate = predicate
        let found = try Asset.fetchAssets(in: library, options: options)
        #expect(try found.localIdentifiers() == [edited.id])
        let asset = try #require(found.first)
        #expect(asset.hasAdjustments)
        #expect(asset.adjustmentFormatIdentifier == "org.example.filter")
        #expect(!plain.hasAdjustments)
        #expect(plain.adjustmentFormatIdentifier == nil)

        let query = try AssetQuery(options)
        let plan = try library.read { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + query.identifiers,
                arguments: query.arguments
            ).map { $0["detail"] as String }
        }
        #expect(plan.count == 1, "\(plan)")
        #expect(plan[0].hasPrefix("SEARCH asset USING"), "\(plan)")
        #expect(plan[0].contains("asset_edited") || plan[0].contains("asset_format"), "\(plan)")
        // The answers are the same if all recipes are lost, because they are not read.
        try RichLibrary.execute(on: library.path) { database in
            try database.execute(sql: "UPDATE edit SET adjustment_data = x'00'")
        }
        let again = try Asset.fetchAssets(in: library, options: options)
        #expect(again.first == asset)
    }
}
