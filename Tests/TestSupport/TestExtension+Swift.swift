// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TestExtension {
    /// Assembles the plug-in `Crowd.swift`.
    ///
    /// - Parameter flags: for the compiler, for example `-static-stdlib`.
    public static func buildCrowd(flags: [String] = [], in folder: String) throws {
        let target = "\(folder)/crowd.editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compileSwift(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/Crowd.swift",
            to: "\(target)/libcrowd.so", flags: flags)
        let manifest: [String: Any] = [
            "identifier": "org.example.crowd", "name": "Crowd", "version": "1.0",
            "abi": "1.0", "library": "libcrowd.so", "supportedMediaTypes": ["image"],
            "reads": [["formatIdentifier": "org.example.crowd", "formatVersions": ["1.0"]]],
            "writes": [["formatIdentifier": "org.example.crowd", "formatVersions": ["1.0"]]],
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
        let words = try runProgram("/usr/bin/env", ["pkg-config", "--cflags", "--libs", "vips"])
            .output.split(whereSeparator: \.isWhitespace).map(String.init)
        let moduleMaps = ["CEditingExtension", "CPixelBlocks"].flatMap {
            ["-Xcc", "-fmodule-map-file=\(BuildProducts.folder)/\($0).build/module.modulemap"]
        }
        var arguments = [
            "swiftc", "-swift-version", "6", "-emit-library", "-parse-as-library",
            "-I", "\(BuildProducts.folder)/Modules",
            "-I", "\(BuildProducts.packageFolder)/Sources/CVips",
            "-L", BuildProducts.folder, "-lEditingExtensionAPI", "-o", library, source,
        ]
        arguments += words.filter { $0.hasPrefix("-l") || $0.hasPrefix("-L") }
        arguments += words.filter { $0.hasPrefix("-I") }.flatMap { ["-Xcc", $0] }
        arguments += moduleMaps
        let result = try runProgram("/usr/bin/env", arguments + flags)
        guard result.status == 0 else { throw Failure(description: result.errors) }
    }
}
