// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Testing

@Suite("manifests of the shipped extensions and the example")
struct ManifestTests {
    @Test(
        "each manifest agrees with its library",
        arguments: [
            ("Plugins/SepiaFilter", TestPlugin.sepia),
            ("Plugins/CropRotate", TestPlugin.cropRotate),
            ("Examples/InvertC", TestPlugin.invert),
        ])
    func agrees(folder: String, plugin: Result<TestPlugin, any Error>) throws {
        let plugin = try plugin.get()
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        let manifest = try ExtensionManifest(
            json: Data(contentsOf: root.appending(path: folder + "/manifest.json")))
        #expect(manifest.identifier == plugin.identifier)
        #expect(manifest.version == plugin.version)
        // The defaults are the values of a new edit.
        let values = try JSONDecoder().decode(
            [String: ParameterValue].self, from: Data(plugin.session().parameters().utf8))
        #expect(Set(values.keys) == Set(manifest.parameters.map(\.name)))
        for parameter in manifest.parameters {
            let value = try #require(values[parameter.name])
            #expect(
                try parameter.checked(value) == parameter.checked(parameter.default.unwrapped()))
        }
        let recipe = try plugin.session(
            TestInput(Pictures.make(width: 3, height: 3, bands: 3).image)
        )
        .finish().recipe
        let stored = AdjustmentData(
            formatIdentifier: recipe.formatIdentifier, formatVersion: recipe.formatVersion,
            data: recipe.data)
        #expect(manifest.declaresReading(stored))
        #expect(manifest.writes.contains { $0.matches(stored) })
    }
}
