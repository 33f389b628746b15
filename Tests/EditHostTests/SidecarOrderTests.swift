// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Testing

@testable import EditHost

/// The precedence of several sidecars, and their names in the library.
@Suite("order of sidecars")
struct SidecarOrderTests {
    private let order = SidecarOrder(original: "IMG.JPG", raws: ["IMG.DNG", "IMG.CR2"])

    @Test("the whole name is first, then the stem, the RAW files, and all others by name")
    func precedence() {
        let sorted = [
            "IMG.JPG.xmp", "IMG.xmp", "IMG.CR2.xmp", "IMG.DNG.XMP", "A.xmp", "IMG.JPG.2.xmp",
            "a.xmp",
        ].map { FileName($0) }
        for names in [sorted, sorted.reversed(), sorted.sorted()] {
            #expect(names.sorted(by: order.precedes) == sorted)
        }
        for (place, one) in sorted.enumerated() {
            for other in sorted[place...] { #expect(!order.precedes(other, one)) }
        }
    }

    @Test("the sidecars of a renamed picture get the names of the picture in the library")
    func renamed() {
        let names = [
            "sea.jpg.xmp": "IMG.JPG.xmp", "sea.xmp": "IMG.xmp", "sea.dng.xmp": "IMG.dng.xmp",
            "other.xmp": "other.xmp", "seagull.xmp": "seagull.xmp",
        ]
        for (name, expected) in names {
            #expect(order.libraryName(of: name, beside: "sea.jpg") == expected)
            #expect(order.libraryName(of: name, beside: "IMG.JPG") == name)
        }
        // A name that is not UTF-8.
        let odd = String(pathBytes: [0xE9])
        let renamed = order.libraryName(of: odd + ".jpg.xmp", beside: odd + ".jpg")
        #expect(renamed == "IMG.JPG.xmp")
    }
}
