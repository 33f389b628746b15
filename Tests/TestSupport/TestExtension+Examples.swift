// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TestExtension {
    /// Compiles an extension of the folder `Examples` as its author would, and assembles it with its manifest.
    ///
    /// - Parameter name: The folder, such as `TintC` or `MirrorSwift`.
    /// - Returns: The path of the extension's folder.
    public static func buildExample(_ name: String, in folder: String) throws -> String {
        let example = "\(BuildProducts.packageFolder)/Examples/\(name)"
        let target = "\(folder)/\(name).editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        let manifest = try Data(contentsOf: URL(fileURLWithPath: "\(example)/manifest.json"))
        try manifest.write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
        let members = try JSONSerialization.jsonObject(with: manifest) as? [String: Any]
        let sources = try FileManager.default.contentsOfDirectory(atPath: example)
            .filter { $0.hasSuffix(".c") || $0.hasSuffix(".swift") }
        guard let library = members?["library"] as? String, let source = sources.first else {
            throw Failure(description: "\(example) has no library or no source")
        }
        if source.hasSuffix(".c") {
            try compile("\(example)/\(source)", to: "\(target)/\(library)")
        } else {
            try compileSwift("\(example)/\(source)", to: "\(target)/\(library)")
        }
        return target
    }
}
