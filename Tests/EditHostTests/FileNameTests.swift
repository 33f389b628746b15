// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Testing

@testable import EditHost

/// File names are bytes.
@Suite("file names")
struct FileNameTests {
    /// A text with each byte escaped, as in a name that is not UTF-8.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if let scalar = Unicode.Scalar(0x10_FE00 + UInt32(byte)) {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    @Test("names that differ in Unicode normalisation are distinct; one name has equal texts")
    func bytes() {
        let pairs = [
            ("\u{E9}", "e\u{301}"), ("\u{C5}", "\u{212B}"), ("\u{AC00}", "\u{1100}\u{1161}"),
        ]
        for (one, other) in pairs {
            #expect(one == other)
            #expect(FileName(one) != FileName(other))
            #expect(Set([FileName(one), FileName(other), FileName(one)]).count == 2)
            #expect((FileName(one) < FileName(other)) != (FileName(other) < FileName(one)))
            #expect(FileName(one).folded == FileName(other).folded)
            #expect(FileName(Self.escaped(one)) == FileName(one))
            #expect(FileName(Self.escaped(one)).hashValue == FileName(one).hashValue)
        }
        #expect(FileName("STRASSE.JPG").folded == FileName("stra\u{DF}e.jpg").folded)
        #expect(FileName("a.jpg") != FileName("A.jpg"))
    }

    @Test("prefixes, suffixes and extensions of names are compared byte by byte")
    func parts() {
        #expect(FileName(".\u{301}x").hasPrefix("."))
        #expect(FileName("/a/\u{301}b").hasPrefix("/a/"))
        #expect(FileName("x/").hasSuffix("/") && !FileName("x").hasSuffix("/"))
        let cases = [
            ("/a.b/c.JPG", "/a.b/c", "jpg"), ("c.tar.gz", "c.tar", "gz"), (".jpg", ".jpg", ""),
            ("/a.b/c", "/a.b/c", ""), ("c.", "c.", ""), ("c.\u{301}g", "c", "\u{301}g"),
        ]
        for (path, stem, ending) in cases {
            let parts = FileName(path).parts
            #expect(parts.stem == FileName(stem), "\(path)")
            #expect(Array(parts.ending.utf8) == Array(ending.utf8), "\(path)")
        }
    }

    @Test("escaped bytes add no forbidden character to a name")
    func escapedBytes() {
        #expect(SafeFilename(Self.escaped("\u{202E}") + "gpj.exe").text() == "_gpj.exe")
        #expect(SafeFilename("a" + Self.escaped("\u{9B}")).text() == "a_")
        #expect(SafeFilename("a" + Self.escaped("\u{2028}") + ".b").text() == "a_.b")
        // Names that are not UTF-8 are kept.
        let latin = "caf\u{10FEE9}.png"
        #expect(SafeFilename(latin).text() == latin)
    }
}
