// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import FoundationEssentials

/// Mirrors a photo. The controller does not use `PhotoFilter`, which is an option for extensions that need more
/// control. It works on files, like programs that do not use libvips: it reads the full-size picture as a TIFF file and
/// writes another one.
final class Mirror: ContentEditingController {
    static let identifier = "org.example.mirror"
    static let version = "1.0"
    private static let format = "org.example.mirror"

    private var input: ContentEditingInput?
    /// The direction: "horizontal" exchanges left and right, "vertical" top and bottom.
    private var direction = "horizontal"

    init() {}

    func canHandle(_ adjustmentData: AdjustmentData) -> Bool {
        adjustmentData.formatIdentifier == Self.format && adjustmentData.formatVersion == "1.0"
    }

    func startContentEditing(
        with input: ContentEditingInput, placeholderImage: Image
    ) throws {
        self.input = input
        if let recipe = input.adjustmentData {
            direction = String(decoding: recipe.data, as: UTF8.self)
        }
    }

    func parameters() throws -> [String: ParameterValue] { ["direction": .string(direction)] }

    func setParameters(_ values: [String: ParameterValue]) throws {
        if case .string(let direction)? = values["direction"] { self.direction = direction }
    }

    func renderPreview() throws -> Image {
        try flip(try started.displaySizeImage)
    }

    /// Renders on another thread; the host waits for the completion.
    func finishContentEditing(completionHandler: @escaping CompletionHandler) throws {
        let input = try started
        let direction = direction
        Task.detached {
            do {
                completionHandler(.success(try Mirror.output(of: input, direction)))
            } catch {
                completionHandler(.failure(error))
            }
        }
    }

    private static func output(
        of input: ContentEditingInput, _ direction: String
    ) throws -> ContentEditingOutput {
        let file = try Data(contentsOf: try input.fullSizeImageURL)
        let image = try Image(source: ImageSource(bytes: Array(file)), loader: "tiffload_source")
        let mirrored = try image.applying("flip", ["direction": .string(direction)])
        let output = ContentEditingOutput(contentEditingInput: input)
        try Data(mirrored.encoded(saver: "tiffsave_buffer"))
            .write(to: try output.renderedContentURL(for: .tiff))
        output.adjustmentData = AdjustmentData(
            formatIdentifier: format, formatVersion: "1.0", data: Data(direction.utf8))
        return output
    }

    func cancelContentEditing() {}

    private func flip(_ image: Image) throws -> Image {
        try image.applying("flip", ["direction": .string(direction)])
    }

    private var started: ContentEditingInput {
        get throws {
            guard let input else {
                throw EditingExtensionError(code: .failed, message: "the edit was not started")
            }
            return input
        }
    }
}

/// The one symbol that the library exports.
@c(editing_extension_entry)
public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    EditingExtension.entry(Mirror.self, host: host)
}
