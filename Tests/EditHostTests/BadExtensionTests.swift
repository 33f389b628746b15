// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import Foundation
import RunnerHost
import TestSupport
import Testing

@Suite("unusable extensions and parameters")
struct BadExtensionTests {
    private func error(
        values: [String: String] = [:], named name: String = "adder",
        _ build: (_ folder: String) throws -> Void
    ) async throws -> HostError {
        let studio = try TestStudio(extensions: build)
        let asset = try await studio.add(.gradient())
        let error = await #expect(throws: HostError.self) {
            try await studio.edit(asset, name, values)
        }
        #expect(try studio.library.history(ofAsset: asset).states.isEmpty)
        await studio.host.shutDown()
        return try #require(error)
    }

    private func replaceLibrary(_ bytes: String) -> (_ folder: String) throws -> Void {
        {
            try TestExtension.buildAdder(in: $0)
            try Data(bytes.utf8).write(
                to: URL(fileURLWithPath: "\($0)/adder.editingextension/libadder.so"))
        }
    }

    @Test("a garbage or empty library is an error", arguments: ["garbage", ""])
    func garbage(bytes: String) async throws {
        let error = try await error(replaceLibrary(bytes))
        #expect(error.code == .unusableExtension)
        #expect(error.description.contains("org.example.adder"), "\(error)")
    }

    @Test("a library without the symbol is an error")
    func noSymbol() async throws {
        let error = try await error {
            try TestExtension.buildAdder(defines: ["WITHOUT_ENTRY"], in: $0)
        }
        #expect(error.code == .unusableExtension)
        #expect(error.description.contains("editing_extension_entry"), "\(error)")
    }

    @Test("a crash in the entry names that call")
    func crashInEntry() async throws {
        let error = try await error {
            try TestExtension.buildAdder(defines: ["CRASHES_IN_ENTRY"], in: $0)
        }
        #expect(error.code == .extensionFailed)
        #expect(
            error.description.contains("crashed with SIGSEGV in editing_extension_entry"),
            "\(error)")
    }

    @Test("a crash is reported as one although another thread holds the loader's lock")
    func crashWhileLoading() async throws {
        let error = try await error {
            try TestExtension.buildAdder(defines: ["CRASHES_WHILE_LOADING"], in: $0)
        }
        #expect(error.description.contains("crashed with SIGSEGV"), "\(error)")
    }

    @Test(
        "a reason that the entry prints or logs before it returns NULL is in the error",
        arguments: [0, 1])
    func reason(logs: Int) async throws {
        let error = try await error {
            try TestExtension.buildAdder(
                defines: ["REASON=\"no graphics card\"", "LOGS=\(logs)"], in: $0)
        }
        #expect(error.code == .unusableExtension)
        #expect(error.description.contains("returned NULL"), "\(error)")
        #expect(error.description.contains("(it printed: no graphics card)"), "\(error)")
    }

    @Test("a library built for another version of the contract is an error")
    func otherABI() async throws {
        let error = try await error { try TestExtension.buildAdder(defines: ["ABI=9"], in: $0) }
        #expect(error.code == .unusableExtension)
        let wanted = "for version 9 of the contract with extensions"
        #expect(error.description.contains(wanted), "\(error)")
        let supported = "this host supports \(HostVersion.abiMajor).\(HostVersion.abiMinor)"
        #expect(error.description.contains(supported), "\(error)")
        let manifest = try await self.error {
            try TestExtension.buildAdder(manifest: ["abi": "9.0"], in: $0)
        }
        #expect(manifest.code == .unusableExtension)
        #expect(manifest.description.contains("9.0"))
        #expect(manifest.description.contains(supported), "\(manifest)")
    }

    @Test("a manifest that states a later version of the contract than its library is an error")
    func laterABI() async throws {
        let major = HostVersion.abiMajor
        let error = try await error {
            try TestExtension.buildAdder(manifest: ["abi": "\(major).9"], in: $0)
        }
        #expect(error.code == .unusableExtension)
        let built = "was built for version \(major).\(HostVersion.abiMinor)"
        #expect(error.description.contains(built), "\(error)")
        #expect(error.description.contains("its manifest says \(major).9"), "\(error)")
        // An earlier one is enough if the library needs no more.
        let studio = try TestStudio(extensions: {
            try TestExtension.buildAdder(manifest: ["abi": "\(major).0"], in: $0)
        })
        #expect(try await studio.edit(studio.add(.gradient())).status == .committed)
        await studio.host.shutDown()
    }

    @Test("a library whose identifier differs from its manifest is an error")
    func otherIdentity() async throws {
        let error = try await error(named: "impostor") {
            try TestExtension.buildAdder(manifest: ["identifier": "org.example.impostor"], in: $0)
        }
        #expect(error.code == .unusableExtension)
        #expect(error.description.contains("org.example.impostor"), "\(error)")
    }

    @Test(
        "a malformed manifest is an error that names the key",
        arguments: [
            ("identifier", "is missing"), ("abi", "is missing"),
            ("supportedMediaTypes", "is missing"),
        ])
    func manifest(key: String, problem: String) async throws {
        let error = try await error {
            try TestExtension.buildAdder(manifest: [key: NSNull()], in: $0)
        }
        #expect(error.code == .unusableExtension)
        #expect(error.description.contains(key))
        #expect(error.description.contains(problem), "\(error)")
    }

    @Test("a non-JSON manifest and a folder without a manifest are errors")
    func noManifest() async throws {
        for text in ["{", nil] as [String?] {
            let error = try await error {
                try TestExtension.buildAdder(in: $0)
                let path = "\($0)/adder.editingextension/manifest.json"
                try FileManager.default.removeItem(atPath: path)
                try text?.write(toFile: path, atomically: true, encoding: .utf8)
            }
            #expect(error.code == .unusableExtension)
            #expect(error.description.contains("manifest"), "\(error)")
        }
    }

    @Test("an unknown extension is an error")
    func unknown() async throws {
        let error = try await error(named: "nonsense") { try TestExtension.buildAdder(in: $0) }
        #expect(error.code == .noSuchExtension)
        #expect(error.description.contains("nonsense"))
    }

    @Test("the error for an unknown name lists broken extensions that may be meant")
    func broken() throws {
        let folder = try TemporaryFolder()
        try TestExtension.buildAdder(in: folder.path)
        try TestExtension.buildAdder(
            "org.example.tinter", manifest: ["library": "missing.so"], in: folder.path)
        try TestExtension.buildAdder("org.example.other", in: folder.path)
        let manifest = folder.file("other.editingextension/manifest.json")
        try "{".write(toFile: manifest, atomically: true, encoding: .utf8)
        let catalogue = ExtensionCatalogue(searching: [folder.path])
        func message(_ name: String) throws -> String {
            try #require(
                #expect(throws: HostError.self) { try catalogue.installed(named: name) }
            ).message
        }
        // The manifest that cannot be read may be the one of any identifier.
        let unreadable = "the one in \(folder.file("other.editingextension")) cannot be used: "
        #expect(try message("com.acme.zzzz").contains(unreadable))
        let similar = try message("tintre")
        #expect(similar.contains(unreadable))
        #expect(similar.contains("tinter.editingextension cannot be used: its library missing.so"))
        #expect(try !message("com.acme.zzzz").contains("tinter"))
    }

    @Test("the folder name of a usable extension does not select it", arguments: ["Plus", ""])
    func folderName(name: String) throws {
        let folder = try TemporaryFolder()
        try TestExtension.buildAdder(in: folder.path)
        try FileManager.default.moveItem(
            atPath: folder.file("adder.editingextension"),
            toPath: folder.file("Plus.editingextension"))
        let error = #expect(throws: HostError.self) {
            try ExtensionCatalogue(searching: [folder.path]).installed(named: name)
        }
        #expect(error?.code == .noSuchExtension)
        #expect(error?.description.contains("org.example.adder") == true)
    }

    @Test(
        "unknown, out-of-range and wrongly typed parameters are errors",
        arguments: [
            ("nonsense", "1", "nonsense"), ("amount", "256", "-255 to 255"),
            ("amount", "much", "a number"), ("amount", "nan", "a number"),
        ])
    func parameters(name: String, value: String, said: String) async throws {
        let error = try await error(values: [name: value]) { try TestExtension.buildAdder(in: $0) }
        #expect(error.code == .badParameter)
        #expect(error.description.contains(name))
        #expect(error.description.contains(said), "\(error)")
    }

    @Test("of two extensions with one identifier, the first shadows the second")
    func shadowed() async throws {
        let first = try TemporaryFolder()
        let second = try TemporaryFolder()
        for folder in [first, second] { try TestExtension.buildAdder(in: folder.path) }
        let catalogue = ExtensionCatalogue(searching: [first.path, second.path])
        #expect(catalogue.all.map(\.status) == [.available, .shadowed])
        #expect(try catalogue.installed(named: "ADDER").path.hasPrefix(first.path))
    }
}
