// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// How the library's sources read database values.
@Suite("database rows")
struct StoredRowTests {
    /// Code that ends the program or converts a value if the value does not have the requested type, and
    /// the files that may contain such code.
    private static let patterns: [(pattern: String, files: Set<String>)] = [
        (#"\brow\["#, []), (#"\$0\[(\d|")"#, []),
        (#"\.fetch(One|All|Set)\("#, []),
        (#"\.fetchCursor\("#, ["Row+Value.swift", "AssetQuery.swift"]),
        (#"\.fromDatabaseValue\("#, []), (#"\.databaseValues\b"#, ["SortKey.swift"]),
        (#"\btry!"#, []), (#"\bas!"#, []), (#"\bfatalError\("#, []),
    ]

    @Test("the library reads rows only through throwing code")
    func reading() throws {
        let folder = "\(BuildProducts.packageFolder)/Sources/Library"
        let files =
            FileManager.default.enumerator(atPath: folder)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
        #expect(files.count > 50)
        for file in files {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            for (pattern, allowed) in Self.patterns {
                guard !allowed.contains((file as NSString).lastPathComponent) else { continue }
                let found = try text.matches(of: Regex(pattern)).map { String(text[$0.range]) }
                #expect(found.isEmpty, "\(file) has \(found)")
            }
        }
    }
}
