// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What `docs/photokit.md` promises.
@Suite("Coming from PhotoKit")
struct PhotoKitTests {
    private struct Line {
        let photoKit: String
        let counterparts: [String]
    }

    /// The lines of the table.
    private func table() throws -> [Line] {
        let text = try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/docs/photokit.md", encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { line in
            let cells = line.split(separator: "|").map { quoted(String($0)) }
            guard cells.count >= 2, let name = cells[0].first else { return nil }
            return Line(photoKit: name, counterparts: cells[1])
        }
    }

    /// What stands between backticks.
    private func quoted(_ text: String) -> [String] {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private func sources() throws -> [String] {
        let root = "\(BuildProducts.packageFolder)/Sources"
        let files =
            FileManager.default.enumerator(atPath: root)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") } ?? []
        return try files.map { try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8) }
    }

    private func declares(_ source: String, type name: String, orExtends: Bool) throws -> Bool {
        let words = "struct|class|enum|protocol|actor" + (orExtends ? "|extension" : "")
        return try source.contains(Regex("\\b(\(words)) \(name)\\b"))
    }

    @Test("E-16 each type of PhotoKit has a counterpart that is there, with the members named")
    func counterparts() throws {
        let sources = try sources()
        let lines = try table()
        #expect(lines.count > 30)
        for line in lines {
            #expect(!line.counterparts.isEmpty, "\(line.photoKit) has no counterpart")
            for name in line.counterparts {
                let parts = name.split(separator: ".").map(String.init)
                let isDeclared = try sources.contains {
                    try declares($0, type: parts[0], orExtends: false)
                }
                #expect(isDeclared, "there is no type \(parts[0])")
                guard parts.count == 2 else { continue }
                let member = try Regex("\\b(func|var|let|case) \(parts[1])\\b")
                let hasMember = try sources.contains { source in
                    try declares(source, type: parts[0], orExtends: true)
                        && source.contains(member)
                }
                #expect(hasMember, "there is no \(name)")
            }
        }
    }

    @Test("E-16 all that the contract names of PhotoKit is in the table")
    func complete() throws {
        let named = Set(try table().map(\.photoKit))
        for name in [
            "PHAssetMediaType", "PHAssetMediaSubtype", "PHAssetCollection",
            "PHAssetCollection.transientAssetCollection", "PHImageManager",
            "PHPhotoLibrary.performChanges", "PHObjectPlaceholder", "PHAsset", "PHFetchResult",
            "PHAssetChangeRequest", "PHAssetResource", "PHChange", "PHAdjustmentData",
        ] {
            #expect(named.contains(name), "\(name) is missing")
        }
    }
}
