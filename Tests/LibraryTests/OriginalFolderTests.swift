// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Library

/// The folders of imported files.
@Suite("folders of originals")
struct OriginalFolderTests {
    private let temporary: TemporaryLibrary
    private var library: PhotoLibrary { temporary.library }

    init() throws { temporary = try TemporaryLibrary() }

    private func create(_ text: String, in folder: String?) throws -> Asset {
        let blob = try library.stage(text)
        var request: AssetCreationRequest?
        try library.performChanges {
            let new = try AssetCreationRequest.photo(blob, .sample())
            new.originalFolder = folder
            request = new
        }
        return try library.asset(
            withLocalIdentifier: #require(request).placeholderForCreatedAsset.localIdentifier)
    }

    private func set(_ folder: String, of asset: Asset) throws {
        try library.performChanges { try AssetChangeRequest(for: asset).originalFolder = folder }
    }

    @Test("a folder is stored as it is, and can be set later")
    func stored() throws {
        #expect(
            try create("one", in: "2024/e\u{301}/\u{10FEE9}").originalFolder
                == "2024/e\u{301}/\u{10FEE9}")
        let asset = try create("two", in: nil)
        #expect(asset.originalFolder == nil)
        try set("...", of: asset)
        #expect(try library.asset(withLocalIdentifier: asset.id).originalFolder == "...")
    }

    @Test(
        "a folder that is not a relative path is rejected",
        arguments: [
            "", "/a", "a/", "a//b", ".", "a/..", "a\0b", "/\u{301}a",
            String(repeating: "x", count: 4097),
        ])
    func invalid(folder: String) throws {
        #expect(try libraryError { _ = try create("one", in: folder) }.code == .invalidRequest)
        let asset = try create("two", in: String(repeating: "x", count: 4096))
        #expect(try libraryError { try set(folder, of: asset) }.code == .invalidRequest)
    }

    @Test(
        "a pattern is compared with names and paths",
        arguments: [
            ("a/b", "a", true), ("a/b", "b", true), ("a/b", "/b", false), ("a/b", "/a/b", true),
            ("a/b", "a/b/", true), ("a/b", "a*b", false), ("a/b", "?", true), ("a/b", "", false),
            ("a/b", "/", false), ("a/b/c", "a/b", true), ("a/b/c", "b/c", false),
            ("a", "A", false), ("a/b", "[a]/[!a]", true), ("../a", "a", false),
            ("x/cafe\u{301}/y", "caf\u{E9}", true), ("caf\u{E9}", "/cafe\u{301}", true),
            ("cafe\u{301} 2024", "caf\u{E9}*", true), ("cafe\u{301}", "cafe", false),
            ("cafe\u{301}", "cafe??", true), ("\u{1EA4}", "A\u{302}\u{301}", true),
            ("\u{10FEE9}\u{E9}", "\u{10FEE9}e\u{301}", true), ("\u{E9}", "\u{E8}", false),
        ])
    func patterns(folder: String, pattern: String, isMatched: Bool) {
        #expect(SearchFunctions.isInFolder(folder, pattern) == isMatched)
    }

    @Test("a pattern that is too long or contains NUL matches nothing")
    func limits() throws {
        _ = try create("one", in: "a")
        for (pattern, count) in [
            ("a", 1), ("*", 1), ("a\0", 0), (String(repeating: "*", count: 4096), 1),
            (String(repeating: "*", count: 4097), 0),
        ] {
            var options = FetchOptions()
            options.predicate = .folder(pattern)
            #expect(try Asset.fetchAssets(in: library, options: options).count == count)
            options.predicate = .not(.folder(pattern))
            #expect(try Asset.fetchAssets(in: library, options: options).count == 1 - count)
        }
    }
}
