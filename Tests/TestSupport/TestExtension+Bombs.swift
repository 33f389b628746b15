// SPDX-License-Identifier: Apache-2.0

import Foundation

extension TestExtension {
    /// Assembles the plug-in `bombs.c`.
    ///
    /// - Parameters:
    ///   - bomb: The name of a function in `bombs.c`.
    ///   - place: The place of the call: `PIXELS`, `PREVIEW` or `START`; nil for `finish`.
    public static func buildBomb(
        _ bomb: String, at place: String? = nil, in folder: String
    ) throws {
        let target = "\(folder)/bomb.editingextension"
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true)
        try compile(
            "\(BuildProducts.packageFolder)/Tests/TestSupport/Plugins/bombs.c",
            to: "\(target)/libbomb.so", defines: ["BOMB=\(bomb)"] + [place].compactMap { $0 })
        let manifest: [String: Any] = [
            "identifier": "org.example.bomb", "name": "Bomb", "version": "1.0", "abi": "1.0",
            "library": "libbomb.so", "supportedMediaTypes": ["image"],
            "reads": [["formatIdentifier": "org.example.bomb"]],
            "writes": [["formatIdentifier": "org.example.bomb"]], "parameters": [Any](),
        ]
        try JSONSerialization.data(withJSONObject: manifest)
            .write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    }
}
