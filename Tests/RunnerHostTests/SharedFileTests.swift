// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import RunnerHost

@Suite("shared files")
struct SharedFileTests {
    @Test("a file that is too large is rejected and not replaced by its beginning")
    func tooLarge() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Data("first\n".utf8), to: "list")
        let file = SharedFile(path: path)
        try file.replace { $0 + Data("second\n".utf8) }
        #expect(try file.content() == Data("first\nsecond\n".utf8))
        let size = SharedFile.maximumBytes
        #expect(truncate(path, size) == 0)
        #expect(try file.content().count == size)
        #expect(truncate(path, size + 1) == 0)
        let error = #expect(throws: HostError.self) { try file.replace { _ in Data() } }
        #expect(error?.code == .fileFailed && error?.message.contains("16 MiB") == true)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size == size + 1)
    }
}
