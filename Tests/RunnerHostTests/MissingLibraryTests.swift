// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import RunnerHost

@Suite("missing shared libraries")
struct MissingLibraryTests {
    private static let message =
        "cannot be loaded: libx.so.3: cannot open shared object file: No such file or directory"

    @Test("the library is named by the loader's message")
    func name() {
        #expect(MissingLibrary(in: Self.message)?.name == "libx.so.3")
        #expect(MissingLibrary(in: "cannot be loaded: the library: undefined symbol: x") == nil)
    }

    @Test("the advice names the Debian package and the folder of an installed library")
    func advice() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Data("/.\n/usr/lib/libx.so.30\n".utf8), to: "a.list")
        _ = try folder.write(
            Data("/.\n/usr/lib/x\n/usr/lib/x/libx.so.3\n".utf8), to: "libx3:amd64.list")
        _ = try folder.write(Data("/usr/lib/x/libx.so.3\n".utf8), to: "libx3:amd64.md5sums")
        let library = try #require(MissingLibrary(in: Self.message))
        let found = library.advice(packages: folder.path)
        #expect(found.contains("the Debian package libx3; link with -Wl,-rpath,/usr/lib/x"))
        let other = library.advice(packages: folder.file("missing"))
        #expect(other.contains("install the Debian package that contains libx.so.3"))
    }
}
