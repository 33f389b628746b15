// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TestExtension {
    /// Assembles the plug-in `Crowd.swift`.
    ///
    /// - Parameter flags: for the compiler, for example `-static-stdlib`.
    public static func buildCrowd(flags: [String] = [], in folder: String) throws {
        try buildSwift("Crowd", flags: flags, in: folder)
    }

    /// Compiles one of the tests' plug-ins in Swift and assembles it with a manifest.
    ///
    /// - Parameters:
    ///   - name: its file's; its identifier ends in that.
    ///   - flags: further ones for the compiler.
    public static func buildSwift(
        _ name: String, flags: [String] = [], in folder: String
    ) throws {
        let word = name.lowercased()
        let target = "\(folder)/\(word).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compileSwift(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/\(name).swift",
            to: "\(target)/lib\(word).so", flags: flags)
        let manifest: [String: Any] = [
            "identifier": "org.example.\(word)", "name": name, "version": "1.0",
            "abi": "1.0", "library": "lib\(word).so", "supportedMediaTypes": ["image"],
            "reads": [["formatIdentifier": "org.example.\(word)", "formatVersions": ["1.0"]]],
            "writes": [["formatIdentifier": "org.example.\(word)", "formatVersions": ["1.0"]]],
            "parameters": [Any](),
        ]
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    /// Compiles one Swift file to a shared library, as the author of a plug-in would: one call of
    /// the compiler against the modules and the static library of the API.
    public static func compileSwift(
        _ source: String, to library: String, flags: [String] = []
    ) throws {
        try runSwift(["-o", library, source] + interface() + flags)
    }

    /// What the compiler is told beside the source and the library, as the file of options is that
    /// `make install` writes.
    public static func swiftFlags() throws -> [String] {
        try languageFlags + interface() + includes()
    }

    /// How to find the API and to make a library with it.
    private static func interface() throws -> [String] {
        let moduleMap = "\(BuildProducts.folder)/CEditingExtension.build/module.modulemap"
        return ["-emit-library", "-I", "\(BuildProducts.folder)/Modules"]
            + ["-Xcc", "-fmodule-map-file=\(moduleMap)"] + ownModules
            + libraries(try vipsFlags())
    }

    /// Compiles one Swift file to a shared library whose copy of the API is compiled against
    /// another version of the contract.
    public static func compileSwift(
        _ source: String, to library: String, header: ContractHeader
    ) throws {
        let made = try compiled.value(for: [source, header.rawValue], ending: ".so") { made in
            let folder = made + ".api"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try compileInterface(in: folder, header: header)
            // The API of the build lies in the library too; what is defined already is not taken.
            try runSwift(
                ["-emit-library", "-o", made, source, "\(folder)/EditingExtensionAPI.o"]
                    + modules(folder, header) + libraries(vipsFlags()))
        }
        try FileManager.default.copyItem(atPath: made, toPath: library)
    }

    /// Makes the module `EditingExtensionAPI` and its code in a folder.
    private static func compileInterface(in folder: String, header: ContractHeader) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // The others do not depend on the contract.
        for module in ["EditingValues", "Vips"] {
            try FileManager.default.copyItem(
                atPath: "\(BuildProducts.folder)/Modules/\(module).swiftmodule",
                toPath: "\(folder)/\(module).swiftmodule")
        }
        let sources = "\(BuildProducts.packageFolder)/Sources/EditingExtensionAPI"
        let names = try FileManager.default.contentsOfDirectory(atPath: sources)
        let package = (BuildProducts.packageFolder as NSString).lastPathComponent.lowercased()
            .map { $0.isLetter || $0.isNumber ? $0 : "_" }
        try runSwift(
            ["-emit-module", "-emit-module-path", "\(folder)/EditingExtensionAPI.swiftmodule"]
                + ["-module-name", "EditingExtensionAPI", "-package-name", String(package)]
                + ["-wmo", "-emit-object", "-o", "\(folder)/EditingExtensionAPI.o"]
                + modules(folder, header) + names.sorted().map { "\(sources)/\($0)" })
    }

    /// Where the modules lie that code against another version of the contract is compiled with.
    private static func modules(_ folder: String, _ header: ContractHeader) throws -> [String] {
        ["-I", folder, "-Xcc", "-fmodule-map-file=\(try header.folder)/module.modulemap"]
            + ownModules
    }

    /// The C modules that the API is made with.
    private static let ownModules = ["CMainQueue", "CPixelBlocks"].flatMap {
        ["-Xcc", "-fmodule-map-file=\(BuildProducts.folder)/\($0).build/module.modulemap"]
    }

    /// The API's library and libvips.
    private static func libraries(_ flags: [String]) -> [String] {
        ["-L", BuildProducts.folder, "-lEditingExtensionAPI"]
            + flags.filter { $0.hasPrefix("-l") || $0.hasPrefix("-L") }
    }

    private static let languageFlags = [
        "-swift-version", "6", "-parse-as-library", "-I",
        "\(BuildProducts.packageFolder)/Sources/CVips",
    ]

    private static func includes() throws -> [String] {
        try vipsFlags().filter { $0.hasPrefix("-I") }.flatMap { ["-Xcc", $0] }
    }

    private static func runSwift(_ arguments: [String]) throws {
        let result = try runProgram(
            "/usr/bin/env", ["swiftc"] + languageFlags + arguments + includes())
        guard result.status == 0 else { throw Failure(description: result.errors) }
    }
}
