// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Foundation
import TestSupport
import Testing

@testable import RunnerHost

/// Signatures, compared with a pair of keys and a signature that minisign 0.11 made.
@Suite("signatures of archives")
struct ArchiveSignatureTests {
    private static let publicKey = "RWQ/7W5oztOQOSfijO4PKWNrANOUc80uh1rWWQcm6pk7o+bIhbtelCXz"
    private static let secretKey = """
        untrusted comment: minisign encrypted secret key
        RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP+1uaM7T\
        kDl664iG6D3cLz+KWsBUKvA2DzhSnb6M9urjlDY7x/scMifijO4PKWNrANOUc80uh1rWWQcm6pk7o+bI\
        hbtelCXzAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
        """
    private static let signature = """
        untrusted comment: signature from minisign secret key
        RUQ/7W5oztOQOS+tQ1P0AKed+S20N2hGtMsOsZz90pD3tNZGQ19rolN3S29G\
        d3uNi8yi7HCXNIBC2OoyiiJ+3S4HpKougOhguA4=
        trusted comment: timestamp:1795716906\tfile:f\thashed
        mm1ECWMA0hDe39jRxF0ZiADr6j43uvJPCdhh+M2dlU0Ht0KbJmYR6amFYGlvvbBlA3tJbZKp+VLNYzApIFZcCw==
        """
    private static let content = Data("edithost test archive\n".utf8)

    private let folder: TemporaryFolder
    private let key: PublisherKey

    init() throws {
        folder = try TemporaryFolder()
        key = try #require(PublisherKey(Self.publicKey))
    }

    private func file(_ content: Data = content) throws -> OpenFile {
        try OpenFile.reading(folder.write(content, to: "archive"))
    }

    @Test("a signature of minisign is valid, and names the key as minisign does")
    func verifies() throws {
        let signature = try ArchiveSignature(Self.signature)
        #expect(try signature.signer(of: file(), among: [key]) == key)
        #expect(key.name == "3990D3CE686EED3F" && signature.keyName == key.name)
        let ofFile = PublisherKey("untrusted comment: minisign public key\n\(Self.publicKey)\n")
        #expect(ofFile == key)
    }

    @Test("a signature is rejected if the file, either signature or the comment changes")
    func changes() throws {
        var content = Self.content
        content[0] ^= 1
        let valid = try ArchiveSignature(Self.signature)
        #expect(throws: HostError.self) { try valid.signer(of: file(content), among: [key]) }
        let changes = [
            ("OS+tQ1P0", "OS+tQ1P1"), ("mm1ECWMA", "mm1ECWMB"), ("file:f", "file:g"),
        ]
        for (old, new) in changes {
            let text = Self.signature.replacingOccurrences(of: old, with: new)
            #expect(text != Self.signature)
            let changed = try ArchiveSignature(text)
            #expect(throws: HostError.self, "\(new)") {
                try changed.signer(of: file(), among: [key])
            }
        }
    }

    @Test("a signature of another key has no signer, and one with the same name is rejected")
    func otherKey() throws {
        let signature = try ArchiveSignature(Self.signature)
        #expect(try signature.signer(of: file(), among: []) == nil)
        let other = try #require(
            PublisherKey(identifier: Array(repeating: 1, count: 8), bytes: key.bytes))
        #expect(try signature.signer(of: file(), among: [other]) == nil)
        let imposter = try #require(
            PublisherKey(identifier: key.identifier, bytes: Array(repeating: 1, count: 32)))
        #expect(throws: HostError.self) {
            try signature.signer(of: file(), among: [imposter])
        }
        #expect(try signature.signer(of: file(), among: [imposter, key]) == key)
    }

    @Test("the signature that is made is that of minisign, and is valid")
    func signs() throws {
        let secret = try PublisherSecretKey(Self.secretKey)
        #expect(secret.publicKey == key)
        let text = try ArchiveSignature.text(signing: file(), named: "f", with: secret)
        // Ed25519 is deterministic. Only the comments differ.
        let line = Self.signature.split(separator: "\n")[1]
        #expect(text.split(separator: "\n")[1] == line)
        #expect(try ArchiveSignature(text).signer(of: file(), among: [key]) == key)
    }

    @Test("malformed signatures and keys are rejected")
    func malformed() {
        let lines = Self.signature.split(separator: "\n").map(String.init)
        let legacy = Data(base64Encoded: lines[1]).map { Data("Ed".utf8) + $0.dropFirst(2) }
        let signatures = [
            "", "nonsense", lines.dropLast().joined(separator: "\n"),
            Self.signature + "\nmore",
            Self.signature.replacingOccurrences(of: "trusted", with: "x"),
            Self.signature.replacingOccurrences(of: "RUQ/", with: "????"),
            Self.signature.replacingOccurrences(
                of: lines[1], with: legacy?.base64EncodedString() ?? ""),
        ]
        for text in signatures {
            #expect(throws: HostError.self, "\(text)") { try ArchiveSignature(text) }
        }
        for text in ["", "RW", "A" + Self.publicKey.dropFirst(), Self.publicKey + "AAAA"] {
            #expect(PublisherKey(text) == nil, "\(text)")
        }
    }

    @Test("an encrypted or damaged secret key is rejected with the reason")
    func secretKeys() throws {
        // "Sc" at the third byte: the key is encrypted with scrypt.
        let encrypted = Self.secretKey.replacingOccurrences(of: "RWQAAEIy", with: "RWRTY0Iy")
        let error = #expect(throws: HostError.self) { try PublisherSecretKey(encrypted) }
        #expect(error?.message.contains("password") == true)
        let damaged = Self.secretKey.replacingOccurrences(of: "664iG6D3", with: "664iG6D4")
        #expect(damaged != Self.secretKey)
        let other = #expect(throws: HostError.self) { try PublisherSecretKey(damaged) }
        #expect(other?.message.contains("damaged") == true)
    }

    // MARK: - Trust

    @Test("builds are trusted only while their publisher is, and the records survive")
    func trust() throws {
        let digest = try #require(SHA256Digest(hex: String(repeating: "1a", count: 32)))
        var trust: ExtensionTrust { ExtensionTrust(shippedFile: nil, folder: folder.path) }
        #expect(try !trust.trust(digest, of: "a.b", signedBy: key))
        #expect(trust.level(of: digest) == .none)
        try trust.trust(key)
        #expect(trust.publishers == [key] && trust.level(of: digest) == .none)
        #expect(try trust.trust(digest, of: "a.b", signedBy: key))
        #expect(trust.level(of: digest) == .user && trust.extensions(of: key) == ["a.b"])
        let own = try #require(SHA256Digest(hex: String(repeating: "2b", count: 32)))
        try trust.trust(own, of: "c.d")
        #expect(try !trust.trust(digest, of: "c.d", signedBy: key))
        #expect(trust.extensions(of: key) == ["a.b"] && trust.level(of: own) == .user)
        #expect(trust.accepts(key, of: "a.b") && !trust.accepts(key, of: "c.d"))
        let other = try #require(
            PublisherKey(identifier: Array(repeating: 1, count: 8), bytes: key.bytes))
        try trust.trust(other)
        #expect(try !trust.trust(own, of: "a.b", signedBy: other))
        #expect(trust.publishers(of: "a.b") == [key])
        #expect(try trust.revoke(other) == [])
        let newer = try #require(SHA256Digest(hex: String(repeating: "3c", count: 32)))
        #expect(try trust.trust(newer, of: "a.b", signedBy: key, keepingOtherBuilds: true))
        #expect(trust.level(of: digest) == .user && trust.level(of: newer) == .user)
        #expect(trust.extensions(of: key) == ["a.b"] && trust.publishers(of: "a.b") == [key])
        #expect(try trust.trust(newer, of: "a.b", signedBy: key))
        #expect(trust.level(of: digest) == .none && trust.level(of: newer) == .user)
        #expect(try trust.revoke(key) == ["a.b"])
        #expect(trust.level(of: newer) == .none && trust.level(of: own) == .user)
        #expect(try trust.publishers == [] && trust.revoke(key) == nil)
    }
}
