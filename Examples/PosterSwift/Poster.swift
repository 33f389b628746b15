// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EditingExtensionAPI
import Foundation

/// Reduces a photo to a few levels of each colour. It shows a typical controller ported from
/// another system: it has no parameters and no previews for the host, renders in the background, writes
/// a JPEG file to `renderedContentURL`, archives its recipe, and ignores cancellation.
final class Poster: ContentEditingController {
    static let identifier = "org.example.poster"
    static let version = "1.0"

    /// The archived recipe.
    private struct Recipe: Codable {
        var levels = 4
    }

    private var input: ContentEditingInput?
    private var recipe = Recipe()

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == Self.identifier
            && adjustmentData.formatVersion == Self.version
    }

    func startContentEditing(with input: ContentEditingInput, placeholderImage: Image) {
        self.input = input
        if let data = input.adjustmentData?.data {
            recipe = (try? PropertyListDecoder().decode(Recipe.self, from: data)) ?? Recipe()
        }
    }

    func finishContentEditing(
        completionHandler: @escaping @Sendable (ContentEditingOutput?) -> Void
    ) {
        guard let input else { return completionHandler(nil) }
        let recipe = recipe
        DispatchQueue.global(qos: .userInitiated).async {
            // A nil output is a failure here, as in the original system.
            completionHandler(try? Self.output(of: input, recipe))
        }
    }

    private static func output(
        of input: ContentEditingInput, _ recipe: Recipe
    ) throws -> ContentEditingOutput {
        let output = ContentEditingOutput(contentEditingInput: input)
        let poster = try posterized(try input.fullSizeImage, levels: recipe.levels)
        let jpeg = try poster.encoded(saver: "jpegsave_buffer", options: ["Q": 95])
        try Data(jpeg).write(to: output.renderedContentURL, options: .atomic)
        output.adjustmentData = AdjustmentData(
            formatIdentifier: identifier, formatVersion: version,
            data: try PropertyListEncoder().encode(recipe))
        return output
    }

    /// Rounds each sample to the nearest of several equidistant levels.
    private static func posterized(_ image: Image, levels: Int) throws -> Image {
        let distance = 255 / Double(levels - 1)
        let steps = try image.applying("linear", ["a": .doubles([1 / distance]), "b": 0])
        let rounded = try steps.applying("round", ["round": "rint"])
        return try rounded.applying(
            "linear", ["a": .doubles([distance]), "b": 0, "uchar": true])
    }

    func cancelContentEditing() {}
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Poster.self, host: host)
}
