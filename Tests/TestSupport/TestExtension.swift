// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Builds extensions in folders that a host can search.
public enum TestExtension {
    /// A failure to build an extension.
    public struct Failure: Error, CustomStringConvertible {
        /// The compiler's output.
        public let description: String

        /// Creates a failure.
        public init(description: String) { self.description = description }
    }

    /// Assembles an extension of the package from the build products.
    public static func assemble(_ name: String, in folder: String) throws {
        let target = "\(folder)/\(name).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: "\(BuildProducts.packageFolder)/Plugins/\(name)/manifest.json",
            toPath: "\(target)/manifest.json")
        try FileManager.default.copyItem(
            atPath: BuildProducts.library(ofExtension: name), toPath: "\(target)/lib\(name).so")
    }

    /// Compiles the plug-in `adder.c` against the header and libvips, and assembles it with a manifest.
    ///
    /// - Parameters:
    ///   - identifier: The extension's identifier. The folder is named after its last part.
    ///   - defines: Macros, for example `READS="org.example.other"`.
    ///   - manifest: Keys of the manifest to set, or to remove with `NSNull`.
    public static func buildAdder(
        _ identifier: String = "org.example.adder", defines: [String] = [],
        manifest changes: [String: Any] = [:], in folder: String
    ) throws {
        let name = identifier.split(separator: ".").last.map(String.init) ?? identifier
        let target = "\(folder)/\(name).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/adder.c",
            to: "\(target)/lib\(name).so",
            defines: ["IDENTIFIER=\"\(identifier)\""] + defines)
        var manifest = adderManifest(identifier, library: "lib\(name).so", defines: defines)
        for (key, value) in changes { manifest[key] = value is NSNull ? nil : value }
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    /// Compiles the plug-in `growth.c` and assembles it with a manifest.
    ///
    /// - Parameters:
    ///   - identifier: The identifier in the manifest. The folder is named after its last part.
    ///   - defines: Macros, such as `BRIDGE`.
    public static func buildGrowth(
        _ identifier: String = "org.example.growth", defines: [String] = [],
        files: [String: [UInt8]] = [:], readsOriginal: Bool = false, in folder: String
    ) throws {
        let name = identifier.split(separator: ".").last.map(String.init) ?? identifier
        let target = "\(folder)/\(name).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/growth.c",
            to: "\(target)/libgrowth.so", defines: defines)
        let format: [String: Any] = ["formatIdentifier": identifier]
        let manifest: [String: Any] = [
            "identifier": identifier, "name": "Growth", "version": "1.0", "abi": "1.0",
            "library": "libgrowth.so", "supportedMediaTypes": ["image"], "reads": [format],
            "writes": [format], "hashedFiles": files.keys.sorted(),
            "readsOriginal": readsOriginal,
        ]
        for (name, bytes) in files {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(target)/\(name)"))
        }
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    /// Compiles the plug-in `neighbours.c`, which logs the number of pixels that it reads, and assembles it with a
    /// manifest.
    ///
    /// - Parameter defines: Macros.
    public static func buildNeighbours(defines: [String] = [], in folder: String) throws {
        let target = "\(folder)/neighbours.editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/neighbours.c",
            to: "\(target)/libneighbours.so", defines: defines)
        let format: [String: Any] = ["formatIdentifier": "org.example.neighbours"]
        let manifest: [String: Any] = [
            "identifier": "org.example.neighbours", "name": "Neighbours", "version": "1.0",
            "abi": "1.0", "library": "libneighbours.so", "supportedMediaTypes": ["image"],
            "reads": [format], "writes": [format],
        ]
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    /// Compiles the plug-in `cube.c` and assembles it with a manifest. Its parameter `lut` is a file, by
    /// default its own `default.cube`.
    ///
    /// - Parameter defines: Macros.
    public static func buildCube(defines: [String] = [], in folder: String) throws {
        let target = "\(folder)/cube.editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/cube.c",
            to: "\(target)/libcube.so", defines: defines)
        let format: [String: Any] = ["formatIdentifier": "org.example.cube"]
        let lut: [String: Any] = ["name": "lut", "type": "file", "default": "default.cube"]
        let manifest: [String: Any] = [
            "identifier": "org.example.cube", "name": "Cube", "version": "1.0", "abi": "1.0",
            "library": "libcube.so", "supportedMediaTypes": ["image"], "reads": [format],
            "writes": [format], "hashedFiles": ["default.cube"], "parameters": [lut],
        ]
        try Data([3]).write(to: URL(fileURLWithPath: "\(target)/default.cube"))
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    /// Compiles the plug-in `clock.c`, which writes the facts about each video frame into its pixels, and
    /// assembles it with a manifest.
    ///
    /// - Parameter manifest: Members that override those of the default manifest.
    public static func buildClock(
        defines: [String] = [], manifest: [String: Any] = [:], in folder: String
    ) throws {
        try buildPlain("Clock", defines: defines, manifest: manifest, in: folder)
    }

    /// Compiles the plug-in `viewer.c`, which writes the video of its input into its recipe, and assembles it with a
    /// manifest.
    public static func buildViewer(defines: [String] = [], in folder: String) throws {
        try buildPlain("Viewer", defines: defines, in: folder)
    }

    /// Compiles the plug-in `layouts.c`, which reads and fills pixels without libvips, and assembles it with a manifest.
    ///
    /// - Parameter defines: Macros.
    public static func buildLayouts(defines: [String] = [], in folder: String) throws {
        try buildPlain(
            "Layouts", defines: defines, manifest: ["supportedMediaTypes": ["image"]], in: folder)
    }

    private static func buildPlain(
        _ name: String, defines: [String] = [], manifest: [String: Any] = [:], in folder: String
    ) throws {
        let word = name.lowercased()
        let target = "\(folder)/\(word).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/\(word).c",
            to: "\(target)/lib\(word).so", defines: defines)
        let format: [String: Any] = ["formatIdentifier": "org.example.\(word)"]
        let usual: [String: Any] = [
            "identifier": "org.example.\(word)", "name": name, "version": "1.0", "abi": "1.1",
            "library": "lib\(word).so", "supportedMediaTypes": ["image", "video"],
            "reads": [format], "writes": [format],
        ]
        try JSONSerialization.data(withJSONObject: usual.merging(manifest) { $1 })
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    private static func adderManifest(
        _ identifier: String, library: String, defines: [String]
    ) -> [String: Any] {
        func value(_ name: String) -> String? {
            defines.first { $0.hasPrefix(name + "=") }
                .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: ["\""]) }
        }
        let written = value("FORMAT") ?? identifier
        return [
            "identifier": identifier, "name": "Adder", "version": "1.0", "abi": "1.0",
            "library": library, "supportedMediaTypes": ["image"],
            "reads": [["formatIdentifier": value("READS") ?? written]],
            "writes": [["formatIdentifier": written]],
            "parameters": [
                [
                    "name": "amount", "type": "number", "minimum": -255, "maximum": 255,
                    "step": 1, "default": 10,
                ],
                ["name": "mode", "type": "text", "default": "plain"],
            ],
        ]
    }

    /// The digests of extensions, in the format of the `trusted.sha256` that the build writes.
    ///
    /// - Parameter folders: The paths of the extensions' folders.
    public static func trustList(of folders: [String]) throws -> String {
        let script = "\(BuildProducts.packageFolder)/Scripts/extension-digest"
        let result = try runProgram(script, folders)
        guard result.status == 0 else { throw Failure(description: result.errors) }
        return result.output
    }

    /// Compiles a C file to a shared library as the author of a plug-in would. Each combination of file,
    /// macros and header is compiled once per test process and then copied.
    ///
    /// - Parameter header: The version of the contract.
    public static func compile(
        _ source: String, to library: String, defines: [String] = [],
        header: ContractHeader = .current
    ) throws {
        let key = [header.rawValue, source] + defines
        let made = try compiled.value(for: key, ending: ".so") { made in
            let flags = try vipsFlags()
            let include = try header.folder
            let arguments =
                ["cc", "-std=gnu11", "-Wall", "-O1", "-g0", "-fPIC", "-shared", "-I\(include)"]
                + defines.map { "-D\($0)" } + ["-o", made, source] + flags
            try run(arguments)
        }
        try? FileManager.default.removeItem(atPath: library)
        try FileManager.default.copyItem(atPath: made, toPath: library)
    }

    /// Compiles the program `Programs/NAME.c`, which uses the contract and libvips, and returns its
    /// path.
    public static func program(_ name: String, header: ContractHeader) throws -> String {
        let source = "\(BuildProducts.packageFolder)/Tests/TestSupport/Programs/\(name).c"
        return try compiled.value(for: [source, header.rawValue], ending: "") { made in
            try run(
                [
                    "cc", "-std=gnu11", "-Wall", "-Wextra", "-I\(try header.folder)", "-o", made,
                    source,
                ]
                    + vipsFlags() + ["-ldl", "-lpthread"])
        }
    }

    /// Compiles the program `Programs/NAME.c` and returns its path.
    public static func program(_ name: String) throws -> String {
        let source = "\(BuildProducts.packageFolder)/Tests/TestSupport/Programs/\(name).c"
        return try compiled.value(for: [source], ending: "") { made in
            try run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-O1", "-o", made, source])
        }
    }

    /// Compiles the program `Programs/NAME.c` with the test host for plug-ins, and returns its path.
    public static func programWithTestHost(_ name: String) throws -> String {
        let source = "\(BuildProducts.packageFolder)/Tests/TestSupport/Programs/\(name).c"
        return try compiled.value(for: [source, "test host"], ending: "") { made in
            try run(
                [
                    "cc", "-std=gnu11", "-Wall", "-Wextra", "-g", "-I\(include)",
                    "-I\(BuildProducts.packageFolder)/Sources/CEditingExtensionTesting/include",
                    "-o", made, source, "-L\(BuildProducts.folder)", "-lCEditingExtensionTesting",
                ] + vipsFlags() + ["-ldl", "-lm", "-lpthread"])
        }
    }

    /// Compiles Programs/color_profiles.c with the sources of the colour transforms, and with checks of memory.
    public static func colorProgram() throws -> String {
        let source = "\(BuildProducts.packageFolder)/Tests/TestSupport/Programs/color_profiles.c"
        let module = "\(BuildProducts.packageFolder)/Sources/CColor"
        return try compiled.value(for: [source], ending: "") { made in
            try run(
                [
                    "cc", "-std=gnu11", "-Wall", "-Wextra", "-g", "-fsanitize=address,undefined",
                    "-fno-sanitize-recover=all", "-I\(include)", "-I\(module)/include", "-o", made,
                    source, "\(module)/color.c", "\(module)/curve.c", "\(module)/space.c", "-lm",
                ] + vipsFlags())
        }
    }

    static let compiled = CompiledFiles()

    /// The folder of the contract's header.
    static let include = "\(BuildProducts.packageFolder)/Sources/CEditingExtension/include"

    /// The compiler and linker flags for libvips.
    static func vipsFlags() throws -> [String] {
        try runProgram("/usr/bin/env", ["pkg-config", "--cflags", "--libs", "vips"])
            .output.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Runs a compiler. Throws its output if it fails.
    static func run(_ arguments: [String]) throws {
        let result = try runProgram("/usr/bin/env", arguments)
        guard result.status == 0 else { throw Failure(description: result.errors) }
    }
}
