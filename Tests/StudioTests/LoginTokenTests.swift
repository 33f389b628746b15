// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Studio

@Suite("login tokens")
struct LoginTokenTests {
    private let folder: TemporaryFolder
    private let tokens: LoginTokens

    init() throws {
        folder = try TemporaryFolder()
        tokens = try LoginTokens(folder: folder.file("tokens"))
    }

    @Test("a token has 256 bits, and is redeemed once")
    func once() throws {
        let token = try tokens.issue()
        #expect(token.text.utf8.count == 64)
        #expect(tokens.redeem(token.text))
        #expect(!tokens.redeem(token.text))
    }

    @Test("another server of the same user can redeem a token, which the command issued")
    func otherServer() throws {
        let token = try tokens.issue()
        #expect(try LoginTokens(folder: folder.file("tokens")).redeem(token.text))
    }

    @Test("of several attempts at the same time, one succeeds")
    func race() async throws {
        let token = try tokens.issue()
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 { group.addTask { tokens.redeem(token.text) } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
    }

    @Test("a token expires after five minutes")
    func expiry() throws {
        let token = try tokens.issue()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("tokens"))
        let file = folder.file("tokens/\(try #require(names.first))")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -301)], ofItemAtPath: file)
        #expect(!tokens.redeem(token.text))
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("neither files nor their names contain a token, and only the user can read them")
    func files() throws {
        let token = try tokens.issue()
        let path = folder.file("tokens")
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let content = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
            #expect(!content.contains(token.text) && !name.contains(token.text))
            var status = stat()
            #expect(lstat("\(path)/\(name)", &status) == 0 && status.st_mode & 0o077 == 0)
        }
    }

    @Test("the login removes the page that opened the browser")
    func page() throws {
        let page = try tokens.issuePage(for: "http://k3v9q2.localhost:4310/")
        let content = try String(contentsOfFile: page, encoding: .utf8)
        let match = try #require(content.firstMatch(of: #/#token=([0-9a-f]{64})"/#))
        #expect(tokens.redeem(String(match.1)))
        #expect(!FileManager.default.fileExists(atPath: page))
    }

    @Test("a folder that others can access is not used")
    func sharedFolder() throws {
        let path = folder.file("shared")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        #expect(throws: HostError.self) { try LoginTokens(folder: path) }
    }
}
