// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TestExtension {
    /// Compiles a Swift plug-in of the tests and assembles it with a manifest.
    ///
    /// - Parameters:
    ///   - name: The name of the file. The identifier ends with it in lower case.
    ///   - override: Members that override those of the default manifest.
    ///   - folder: The folder of the extensions.
    public static func buildSwift(
        _ name: String, manifest override: [String: Any] = [:], in folder: String
    ) throws {
        let word = name.lowercased()
        let target = "\(folder)/\(word).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compileSwift(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/\(name).swift",
            to: "\(target)/lib\(word).so")
        let manifest: [String: Any] = [
            "identifier": "org.example.\(word)", "name": name, "version": "1.0",
            "abi": "1.0", "library": "lib\(word).so", "supportedMediaTypes": ["image"],
            "reads": [["formatIdentifier": "org.example.\(word)", "formatVersions": ["1.0"]]],
            "writes": [["formatIdentifier": "org.example.\(word)", "formatVersions": ["1.0"]]],
            "parameters": [Any](),
        ]
        try JSONSerialization.data(withJSONObject: manifest.merging(override) { $1 })
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    /// Compiles a Swift file to a shared library as the author of a plug-in would: with one call of
    /// the compiler, against the modules and the static library of the API.
    public static func compileSwift(
        _ source: String, to library: String
    ) throws {
        try runSwift(["-o", library, source] + interface() + ownRuntime())
    }

    /// The compiler flags without source and output, equivalent to the `flags` file that
    /// `make install` writes.
    public static func swiftFlags() throws -> [String] {
        try languageFlags + interface() + ownRuntime() + includes()
    }

    /// The compiler flags of a test program, equivalent to the `test-flags` file that `make install` writes.
    public static func swiftTestFlags() throws -> [String] {
        let library = try interface().filter { $0 != "-emit-library" }
        let moduleMap = "\(BuildProducts.folder)/CEditingExtensionTesting.build/module.modulemap"
        return try languageFlags + [
            "-Xcc", "-I\(include)", "-Xcc", "-fmodule-map-file=\(moduleMap)",
        ]
            + ["-L", BuildProducts.folder, "-lEditingExtensionTesting"] + library + ownRuntime()
            + includes()
    }

    /// The options that find the API and link a library with it.
    private static func interface() throws -> [String] {
        let moduleMap = "\(BuildProducts.folder)/CEditingExtension.build/module.modulemap"
        return ["-emit-library", "-I", "\(BuildProducts.folder)/Modules"]
            + ["-Xcc", "-fmodule-map-file=\(moduleMap)"] + ownModules
            + libraries(try vipsFlags())
    }

    /// The options that link a Swift runtime into the library, as the installed options do: the runners have none to
    /// share.
    private static func ownRuntime() throws -> [String] {
        let archives = try String(
            contentsOfFile: "\(BuildProducts.packageFolder)/Scripts/static-archives",
            encoding: .utf8)
        return ["-static-stdlib", "-use-ld=lld"]
            + archives.split(separator: "\n").map(String.init)
            + ["--as-needed", "--gc-sections"].flatMap { ["-Xlinker", $0] }
    }

    /// Compiles a Swift file to a shared library with a copy of the API that is compiled against
    /// another version of the contract.
    public static func compileSwift(
        _ source: String, to library: String, header: ContractHeader
    ) throws {
        let made = try compiled.value(for: [source, header.rawValue], ending: ".so") { made in
            let folder = made + ".api"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try compileInterface(in: folder, header: header)
            // The build's static library of the API is linked too, but only for undefined symbols.
            try runSwift(
                ["-emit-library", "-o", made, source, "\(folder)/EditingExtensionAPI.o"]
                    + modules(folder, header) + libraries(vipsFlags()) + ownRuntime())
        }
        try FileManager.default.copyItem(atPath: made, toPath: library)
    }

    /// Builds the module and the object file of `EditingExtensionAPI` in a folder.
    private static func compileInterface(in folder: String, header: ContractHeader) throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // These modules do not depend on the contract.
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

    /// The flags for modules built against another version of the contract.
    private static func modules(_ folder: String, _ header: ContractHeader) throws -> [String] {
        ["-I", folder, "-Xcc", "-fmodule-map-file=\(try header.folder)/module.modulemap"]
            + ownModules
    }

    /// The flags for the C modules that the API imports.
    private static let ownModules = ["CMainQueue", "CPixelBlocks"].flatMap {
        ["-Xcc", "-fmodule-map-file=\(BuildProducts.folder)/\($0).build/module.modulemap"]
    }

    /// The linker flags of the API's library and libvips.
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
