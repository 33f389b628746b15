// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import TestSupport
import Testing

@testable import EditHost
@testable import RunnerHost

/// The digest of an extension covers its manifest, library and `hashedFiles`.
@Suite("extension digests")
struct ExtensionDigestTests {
    /// The parts of an extension that can change.
    enum Part: CaseIterable {
        case manifest, library, file, order
    }

    /// Builds an adder with two further files.
    private static func build(in folder: String, version: String = "1.0") throws {
        try TestExtension.buildAdder(
            manifest: ["hashedFiles": ["first.cube", "second.cube"]], in: folder)
        for name in ["first", "second"] {
            try Data("table \(name)".utf8).write(
                to: URL(fileURLWithPath: "\(folder)/adder.editingextension/\(name).cube"))
        }
    }

    private static func change(_ part: Part, in folder: String) throws {
        let path = "\(folder)/adder.editingextension"
        switch part {
        case .manifest:
            try TestExtension.buildAdder(
                manifest: [
                    "hashedFiles": ["first.cube", "second.cube"], "contentBound": true,
                ], in: folder)
        case .order:
            try TestExtension.buildAdder(
                manifest: ["hashedFiles": ["second.cube", "first.cube"]], in: folder)
        case .library:
            try TestExtension.buildAdder(
                defines: ["RECORD"],
                manifest: ["hashedFiles": ["first.cube", "second.cube"]], in: folder)
        case .file:
            try Data("another table".utf8).write(
                to: URL(fileURLWithPath: "\(path)/second.cube"))
        }
    }

    private static func digest(in folder: String) throws -> SHA256Digest {
        try ExtensionBinary(
            reading: ExtensionCatalogue.examine("\(folder)/adder.editingextension"),
            trust: ExtensionTrust(shippedFile: nil, folder: nil)
        ).digest
    }

    @Test("the build script computes the same digest as the host")
    func script() throws {
        let folder = try TemporaryFolder()
        try Self.build(in: folder.path)
        let path = folder.file("adder.editingextension")
        #expect(
            try TestExtension.trustList(of: [path])
                == "\(try Self.digest(in: folder.path).hex)  \(path)\n")
        try TestExtension.buildAdder("org.example.other", in: folder.path)
        let other = folder.file("other.editingextension")
        let binary = try ExtensionBinary(
            reading: ExtensionCatalogue.examine(other),
            trust: ExtensionTrust(shippedFile: nil, folder: nil))
        #expect(try TestExtension.trustList(of: [other]) == "\(binary.digest.hex)  \(other)\n")
        for name in ["SepiaFilter", "CropRotate"] {
            try TestExtension.assemble(name, in: folder.path)
            let path = folder.file("\(name).editingextension")
            let binary = try ExtensionBinary(
                reading: ExtensionCatalogue.examine(path),
                trust: ExtensionTrust(shippedFile: nil, folder: nil))
            #expect(try TestExtension.trustList(of: [path]) == "\(binary.digest.hex)  \(path)\n")
        }
    }

    @Test(
        "trust covers all parts of an extension, for user and shipped ones",
        arguments: Part.allCases)
    func trust(part: Part) throws {
        let studio = try TestStudio(extensions: { try Self.build(in: $0) }, trusted: false)
        func level(_ host: ExtensionHost) throws -> ExtensionTrust.Level? {
            host.extensions.status(of: try host.extensions.catalogue.installed(named: "adder"))?
                .trust
        }
        _ = try studio.host.trust(extensionNamed: "adder")
        #expect(try level(studio.otherHost(trusted: false)) == .user)
        #expect(try level(studio.otherHost(trusted: true)) == .shipped)
        try Self.change(part, in: studio.extensions)
        #expect(try level(studio.otherHost(trusted: false)) == ExtensionTrust.Level.none)
        // This trusts the changed build as shipped.
        #expect(try level(studio.otherHost(trusted: true)) == .shipped)
    }

    @Test("an earlier list of library hashes trusts no extension")
    func oldList() throws {
        let studio = try TestStudio(extensions: { try Self.build(in: $0) }, trusted: false)
        let library = "\(studio.extensions)/adder.editingextension/libadder.so"
        let hash = try runProgram("/usr/bin/sha256sum", [library]).output.prefix(64)
        try studio.folder.write(Data("\(hash)  \(library)\n".utf8), to: "trusted.sha256")
        try FileManager.default.createDirectory(
            atPath: studio.folder.file("configuration"), withIntermediateDirectories: true)
        try studio.folder.write(
            Data("\(hash)  org.example.adder\n".utf8), to: "configuration/trusted.sha256")
        let host = try studio.otherHost(trusted: false)
        let installed = try host.extensions.catalogue.installed(named: "adder")
        #expect(host.extensions.status(of: installed)?.trust == ExtensionTrust.Level.none)
        #expect(host.extensions.status(of: installed)?.wasTrusted == true)
    }

    @Test("quarantine covers all parts of an extension", arguments: Part.allCases)
    func quarantine(part: Part) async throws {
        let studio = try TestStudio { try Self.build(in: $0) }
        let asset = try await studio.add(TestPicture.gradient())
        for _ in 1...Quarantine.limit {
            await #expect(throws: HostError.self) {
                try await studio.edit(asset, "adder", ["mode": "crash-finish"])
            }
        }
        func isQuarantined(_ host: ExtensionHost) throws -> Bool? {
            let installed = try host.extensions.catalogue.installed(named: "adder")
            return host.extensions.status(of: installed)?.isQuarantined
        }
        #expect(try isQuarantined(studio.otherHost()) == true)
        try Self.change(part, in: studio.extensions)
        #expect(try isQuarantined(studio.otherHost()) == false)
        await studio.host.shutDown()
    }

    @Test("cached answers cover all parts of an extension", arguments: Part.allCases)
    func answers(part: Part) throws {
        let folder = try TemporaryFolder()
        try Self.build(in: folder.path)
        let before = try Self.digest(in: folder.path)
        #expect(try Self.digest(in: folder.path) == before)
        try Self.change(part, in: folder.path)
        let after = try Self.digest(in: folder.path)
        #expect(after != before)
        let recipe = AdjustmentData(
            formatIdentifier: "org.example.adder", formatVersion: "1.0", data: Data([1]))
        #expect(
            ExtensionStore.CanHandleQuestion(extension: before, adjustmentData: recipe)
                != ExtensionStore.CanHandleQuestion(extension: after, adjustmentData: recipe))
    }

    @Test("the manifest is hashed as read; a later replacement is ignored")
    func replacedManifest() throws {
        let folder = try TemporaryFolder()
        try Self.build(in: folder.path)
        let before = try Self.digest(in: folder.path)
        let examined = ExtensionCatalogue.examine(folder.file("adder.editingextension"))
        try Self.change(.manifest, in: folder.path)
        let binary = try ExtensionBinary(
            reading: examined, trust: ExtensionTrust(shippedFile: nil, folder: nil))
        #expect(binary.digest == before)
        #expect(!binary.manifest.contentBound)
    }
}
