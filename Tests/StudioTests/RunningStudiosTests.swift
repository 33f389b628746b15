// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Studio

@Suite("the addresses of running studios")
struct RunningStudiosTests {
    private let folder: TemporaryFolder
    private let studios: RunningStudios

    init() throws {
        folder = try TemporaryFolder()
        studios = try RunningStudios(folder: folder.file("tokens"))
    }

    @Test("of several servers, the address of the last one that still runs is known")
    func address() throws {
        #expect(studios.address == nil)
        for port in 1...3 { try studios.record("http://a.localhost:\(port)/") }
        #expect(studios.address == "http://a.localhost:3/")
        studios.forget("http://a.localhost:3/")
        #expect(studios.address == "http://a.localhost:2/")
        studios.forget("http://a.localhost:1/")
        #expect(studios.address == "http://a.localhost:2/")
        studios.forget("http://a.localhost:2/")
        #expect(studios.address == nil)
    }

    @Test("the address of a server that was killed is ignored, and removed by the next one")
    func killed() throws {
        try studios.record("http://a.localhost:1/")
        // No process has this identifier: the kernel's limit is 2^22.
        let file = folder.file("tokens/9999999999999999999-4194305.address")
        try Data("http://a.localhost:2/".utf8).write(to: URL(fileURLWithPath: file))
        #expect(studios.address == "http://a.localhost:1/")
        try studios.record("http://a.localhost:3/")
        #expect(!FileManager.default.fileExists(atPath: file))
    }
}
