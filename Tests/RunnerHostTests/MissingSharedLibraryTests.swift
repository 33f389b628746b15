// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import RunnerHost

@Suite("missing shared libraries")
struct MissingSharedLibraryTests {
    private static let message =
        "cannot be loaded: libx.so.3: cannot open shared object file: No such file or directory"

    @Test("the library is named by the loader's message")
    func name() {
        #expect(MissingSharedLibrary(in: Self.message)?.name == "libx.so.3")
        #expect(
            MissingSharedLibrary(in: "cannot be loaded: the library: undefined symbol: x") == nil)
    }

    @Test(
        "a message with an invalid name or of excessive length names no library",
        arguments: [
            "", "x", "lib\"x.so", "lib\u{E9}.so", String(repeating: "x", count: 253) + ".so",
            String(repeating: "x", count: 8200) + " libx.so",
        ])
    func invalidNames(name: String) {
        #expect(MissingSharedLibrary(in: "\(name): cannot open shared object file") == nil)
        let path = "/a/\(name)/libx.so: cannot open shared object file"
        #expect((MissingSharedLibrary(in: path) == nil) == (name.count > 8192))
    }

    @Test("the advice names the Debian package and the folder of an installed library")
    func advice() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data("/.\n/usr/lib/libx.so.30\n".utf8), to: "a.list")
        _ = try folder.write(
            Data("/.\n/usr/lib/x\n/usr/lib/x/libx.so.3\n".utf8), to: "libx3:amd64.list")
        _ = try folder.write(Data("/usr/lib/x/libx.so.3\n".utf8), to: "libx3:amd64.md5sums")
        let library = try #require(MissingSharedLibrary(in: Self.message))
        let found = library.advice(packages: folder.path)
        #expect(found.contains("the Debian package libx3; link with -Wl,-rpath,/usr/lib/x"))
        try FileManager.default.removeItem(atPath: folder.file("libx3:amd64.list"))
        #expect(library.advice(packages: folder.path) == found)
        let other = library.advice(packages: folder.file("missing"))
        #expect(other.contains("install the Debian package that contains libx.so.3"))
    }
}
