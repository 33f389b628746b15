// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport

/// The page `docs/reference/extensions.md`, made from the manifests in `Plugins`.
struct ExtensionReference {
    private let manifests: [ExtensionManifest]

    init() throws {
        let root = "\(BuildProducts.packageFolder)/Plugins"
        manifests = try FileManager.default.contentsOfDirectory(atPath: root).sorted().compactMap {
            name in
            let path = URL(fileURLWithPath: "\(root)/\(name)/manifest.json")
            // A folder without a manifest is code that extensions share.
            guard FileManager.default.fileExists(atPath: path.path) else { return nil }
            return try ExtensionManifest(json: Data(contentsOf: path))
        }
    }

    var page: String {
        """
        # The shipped extensions

        This page is generated from the manifests in [Plugins](../../Plugins/). Use a parameter with `--set`, and a preset with `--preset`:

        ```
        edithost edit ecfe --with lightandcolor --set exposure=0.5 --set shadows=0.3
        edithost edit ecfe --with lightandcolor --preset vivid
        ```

        [Light and Color](light-and-color.md), [Curves and Color Mixer](curves-and-color-mixer.md), [Color LUT](color-lut.md),
        [Detail](detail.md), [Retouch](retouch.md), [Lens Correction and Perspective](geometry.md), and [Vignette, Borders and
        Watermark](frames-and-marks.md) have separate pages with formulas and formats.
        \(manifests.map(section).joined())
        """
    }

    private func section(_ manifest: ExtensionManifest) -> String {
        let media = manifest.supportedMediaTypes.map { $0 == .image ? "photos" : "videos" }
        let parameters = manifest.parameters.map { parameter in
            let unit = parameter.unit.map { "Unit: \($0)." }
            let meaning = [english(parameter.help), unit ?? ""].filter { !$0.isEmpty }
            let cells = [
                "`\(parameter.name)`", english(parameter.label), values(parameter),
                parameter.default.map { "`\($0.text)`" } ?? "none",
                meaning.joined(separator: " "),
            ]
            return "| \(cells.joined(separator: " | ")) |"
        }
        var text = """

            ## \(manifest.name)

            \(english(manifest.description)) Identifier `\(manifest.identifier)`, for \(media.joined(separator: " and ")).

            | Parameter | Label | Values | Default | Meaning |
            |---|---|---|---|---|
            \(parameters.joined(separator: "\n"))

            """
        guard !manifest.presets.isEmpty else { return text }
        let presets = manifest.presets.map { preset in
            let values = preset.values.sorted { $0.key < $1.key }
                .map { "`\($0.key)=\($0.value.text)`" }
            return
                "| `\(preset.name)` | \(english(preset.label)) | \(values.joined(separator: ", ")) |"
        }
        text += """

            | Preset | Label | Values |
            |---|---|---|
            \(presets.joined(separator: "\n"))

            """
        return text
    }

    private func values(_ parameter: ExtensionParameter) -> String {
        if let choices = parameter.choices {
            return choices.map { "`\($0.value)`" }.joined(separator: ", ")
        }
        guard let minimum = parameter.minimum, let maximum = parameter.maximum else {
            return parameter.type.rawValue
        }
        return "\(parameter.type.rawValue), \(minimum.formatted()) to \(maximum.formatted())"
    }

    private func english(_ text: LocalizedText?) -> String { text?.text(for: ["en"]) ?? "" }
}
