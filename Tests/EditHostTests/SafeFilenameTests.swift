// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import EditHost

/// Every name becomes a valid file name.
@Suite("safe file names")
struct SafeFilenameTests {
    @Test("random names become single visible components of at most 255 bytes")
    func random() {
        var generator = SeededGenerator(seed: 9)
        let special: [Unicode.Scalar] = [
            "/", ".", "\0", "\n", "\u{202E}", "\u{2066}", "\u{9B}", "-", "\u{301}", "\u{200D}",
            "\u{1F600}", "\u{E9}", "a",
        ]
        for _ in 0..<20_000 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...300, using: &generator) {
                let any = Unicode.Scalar(UInt32.random(in: 0...0x10_FFFF, using: &generator))
                let isSpecial = Int.random(in: 0..<3, using: &generator) > 0
                scalars.append(
                    isSpecial ? special.randomElement(using: &generator) ?? "." : any ?? "/")
            }
            let name = SafeFilename(String(scalars))
            let number = Int.random(in: 0...20_000, using: &generator)
            let limit = Int.random(in: 64...255, using: &generator)
            let text = NumberedFilename(name).text(number: number, limit: limit)
            #expect((1...limit).contains(text.utf8.count), "\(text)")
            #expect(!text.utf8.contains(0) && !text.utf8.contains(UInt8(ascii: "/")))
            #expect(text.utf8.first != UInt8(ascii: "."))
            #expect(number == 0 || text.contains("-\(number)"))
            let forbidden = text.unicodeScalars.contains {
                $0.properties.generalCategory == .control || ("\u{202A}"..."\u{202E}").contains($0)
                    || ("\u{2066}"..."\u{2069}").contains($0)
            }
            #expect(!forbidden)
        }
    }

    @Test("a good name is unchanged, and its number precedes the extension")
    func good() {
        for name in ["IMG_1.JPG", "a b.tar.gz", "\u{6771}\u{4EAC}.heic", "noending", "a.b"] {
            #expect(SafeFilename(name).text() == name)
        }
        #expect(numbered("IMG_1.JPG", 3) == "IMG_1-3.JPG")
        #expect(numbered("noending", 1) == "noending-1")
        let zalgo = "a" + String(repeating: "\u{301}", count: 400)
        #expect(SafeFilename(zalgo + ".jpg").text().utf8.count <= 255)
        let ending = "x." + String(repeating: "y", count: 400)
        #expect(numbered(ending, 12).utf8.count <= 255)
    }

    private func numbered(_ name: String, _ number: Int) -> String {
        NumberedFilename(SafeFilename(name)).text(number: number, limit: SafeFilename.maximumBytes)
    }
}
