// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tests of `apply` to files with the same bytes.
@Suite("edits applied to copies of a file")
struct ApplyCopiesTests {
    private let bench: Workbench

    init() throws { bench = try Workbench(extensions: ["SepiaFilter"]) }

    @Test("equal files with different sidecars have their own metadata")
    func copiesWithSidecars() throws {
        for name in ["a", "b", "c"] {
            try bench.folder.write(
                TestPicture.gradient(seed: 1).encoded("jpeg"), to: "photos/\(name).jpg")
        }
        for (name, title) in [("a", "Pier"), ("b", "Sea")] {
            let xmp = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
                 xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
                 rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>
                 <rdf:li xml:lang="x-default">\(title)</rdf:li></rdf:Alt></dc:title>
                 </rdf:Description></rdf:RDF></x:xmpmeta>
                """
            try bench.folder.write(Data(xmp.utf8), to: "photos/\(name).xmp")
        }
        let out = bench.folder.file("out")
        let rows = try bench.json(
            "apply", bench.folder.file("photos"), "--with", "sepia", "--to", out)
        #expect(rows.map { $0["status"] as? String } == ["written", "written", "written"])
        #expect(try ExportedFiles.names(in: out).sorted() == ["a.jpg", "b.jpg", "c.jpg"])
        for (name, title) in [("a", "Pier"), ("b", "Sea"), ("c", "")] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(out)/\(name).jpg"))
            for text in ["Pier", "Sea"] {
                #expect((bytes.range(of: Data(text.utf8)) != nil) == (text == title), "\(name)")
            }
        }
    }
}
