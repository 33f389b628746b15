// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Well-behaved plug-ins in several languages. Each inverts colours with features of its language's
/// run-time. With the parameter `fault` it fails as programs in that language do.
public enum HonestPlugin: String, CaseIterable, Sendable {
    case cpp, rust, swift

    /// The extension's identifier.
    public var identifier: String { "org.example.honest\(rawValue)" }

    /// Whether the language's compiler is installed. C++ and Rust compilers are optional.
    public var canBeBuilt: Bool {
        let compiler = self == .rust ? "rustc" : self == .cpp ? "c++" : "swiftc"
        return (try? runProgram("/usr/bin/env", [compiler, "--version"]).status) == 0
    }

    /// The signal that ends the process after a fault.
    public var faultSignal: String {
        #if arch(x86_64)
        self == .swift ? "SIGILL" : "SIGABRT"
        #else
        self == .swift ? "SIGTRAP" : "SIGABRT"
        #endif
    }

    /// Compiles the plug-in once per test process, and assembles it with a manifest.
    public func build(in folder: String) throws {
        let target = "\(folder)/honest\(rawValue).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        let made = try Self.compiled.value(for: [rawValue], ending: ".so", make: compile)
        try FileManager.default.copyItem(atPath: made, toPath: "\(target)/libhonest.so")
        let format: [String: Any] = ["formatIdentifier": identifier]
        let manifest: [String: Any] = [
            "identifier": identifier, "name": "Honest", "version": "1.0", "abi": "1.0",
            "library": "libhonest.so", "supportedMediaTypes": ["image"], "reads": [format],
            "writes": [format], "pixelFormats": ["rgb8", "rgba8"],
            "parameters": [["name": "fault", "type": "boolean", "default": false]],
        ]
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }

    private static let compiled = CompiledFiles()

    private func compile(to library: String) throws {
        let sources = "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins"
        switch self {
        case .cpp:
            try TestExtension.run(
                [
                    "c++", "-std=c++17", "-Wall", "-Wextra", "-O1", "-fPIC", "-shared", "-I",
                    TestExtension.include, "-o", library, "\(sources)/honest.cpp",
                ] + TestExtension.vipsFlags())
        case .rust:
            try TestExtension.run([
                "rustc", "--edition", "2021", "--crate-type", "cdylib", "-O", "-o", library,
                "\(sources)/honest.rs", "-l", "vips", "-l", "gobject-2.0", "-l", "glib-2.0",
            ])
        case .swift:
            try TestExtension.compileSwift("\(sources)/Honest.swift", to: library)
        }
    }
}
