// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import FoundationEssentials
import RunnerProtocol
import Vips

/// A copy of the output that a controller passed to its completion.
struct ControllerOutput: Sendable {
    /// The recipe, which the host validates.
    let adjustmentData: AdjustmentData
    /// The image; `nil` if the output is a file.
    let image: Image?
    /// The opened output file; `nil` if there is an image or the asset is a video, whose output has neither.
    let file: RenderedFile?
    /// The named profile of the output; `nil` for that of the input.
    let profile: ColorProfile?

    /// Copies the structure from an extension; `nil` if it contains neither a recipe nor a picture.
    ///
    /// - Parameter input: The input of the edit, which holds the paths of output files.
    /// - Throws: `Unusable` with a reason that completes a sentence about the extension.
    init?(_ output: UnsafePointer<ee_output>, _ input: ControllerInput?) throws(Unusable) {
        guard
            let output = growingStructure(
                at: output, as: ee_output.self, minimum: Int(EE_OUTPUT_SIZE_1_0))
        else {
            let size = UnsafeRawPointer(output).loadUnaligned(as: UInt32.self)
            throw Unusable(
                reason: "its ee_output has a struct_size of \(size), less than the "
                    + "\(EE_OUTPUT_SIZE_1_0) of 1.0")
        }
        let hasRecipe =
            output.adjustment.format_identifier != nil || output.adjustment.data != nil
        guard hasRecipe || output.image != nil || output.rendered_content_type != nil else {
            return nil
        }
        guard let identifier = String(bounded: output.adjustment.format_identifier, limit: 1024),
            let version = String(bounded: output.adjustment.format_version, limit: 1024)
        else {
            throw Unusable(reason: "finish gave a recipe without a format identifier or version")
        }
        let size = output.adjustment.data == nil ? 0 : output.adjustment.size
        guard size <= AdjustmentData.allowedSizes.upperBound else {
            throw Unusable(reason: "its recipe has \(size) bytes, more than 16 MiB")
        }
        adjustmentData = AdjustmentData(
            formatIdentifier: identifier, formatVersion: version,
            data: output.adjustment.data.map { Data(bytes: $0, count: size) } ?? Data())
        image = output.image.map { Image(retaining: $0) }
        profile = try Self.profile(output.profile)
        // The frames of a video are rendered by another controller.
        let isVideo = input?.isVideo == true && output.rendered_content_type == nil
        guard image == nil, !isVideo else {
            file = nil
            return
        }
        guard let contentType = String(bounded: output.rendered_content_type, limit: 256), let input
        else {
            throw Unusable(
                reason: "finish gave neither an image nor a file; set the output's image or "
                    + "rendered_content_type")
        }
        file = try input.openRenderedFile(contentType)
    }

    /// Returns the named profile, otherwise that of the input. An unnamed one is assumed to be the original's.
    ///
    /// - Parameter original: The RGB profile of the original.
    func profile(
        over input: Image, original: [UInt8]?
    ) throws(RunnerFailure) -> ColorProfile {
        if let profile { return profile }
        return try NamedProfile.name(of: input.blob(ICCProfile.field), original: original)
            ?? .original
    }

    /// The error of an unusable output.
    struct Unusable: Error {
        let reason: String
    }

    /// Returns the profile of a name, `nil` if there is no name.
    static func profile(
        _ name: UnsafePointer<CChar>?
    ) throws(Unusable) -> ColorProfile? {
        guard let name = String(bounded: name, limit: 64) else { return nil }
        guard let profile = ColorProfile(rawValue: name), profile != .original else {
            throw Unusable(reason: "its output names the unknown profile \(name)")
        }
        return profile
    }
}
