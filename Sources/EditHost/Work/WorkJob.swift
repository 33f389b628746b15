// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library
import RunnerProtocol

/// A line of `jobs/NNNNN.jsonl`: everything that is to be rendered of one asset.
///
/// The outputs are in the order in which they are rendered: bases before the renditions above them, the still of a Live
/// Photo before its video.
package struct WorkJob: Codable, Equatable, Sendable {
    /// The number of the job, unique in the plan.
    package var job: Int
    /// The identifier of the asset.
    package let asset: String
    /// The estimated seconds of rendering on one core.
    package var cost: Double
    /// The files that are read.
    package let inputs: [Input]
    /// The edits that are run.
    package let steps: [Step]
    /// The files that are rendered. None are empty.
    package let outputs: [Output]

    /// The maximum number of inputs, steps and outputs of a job each.
    static let maximumCount = 10_000
}

extension WorkJob {
    /// A file that is read.
    package struct Input: Codable, Equatable, Sendable {
        /// The role of a file in the job.
        package enum Role: String, Codable, Sendable {
            /// The original photo or video.
            case original
            /// The video of a Live Photo.
            case pairedVideo
            /// A stored result of a step.
            case base
            /// A file that is the value of a parameter.
            case parameter
        }

        /// The bytes of another input that contain a file, such as the video of a Motion Photo. They have the size of
        /// the file.
        package struct Container: Codable, Equatable, Sendable {
            /// The index of the other input.
            package let input: Int
            /// The offset in bytes.
            package let offset: Int
        }

        /// The role of the file.
        package let role: Role
        /// The hash of the bytes.
        package let sha256: WorkHash
        /// The size in bytes.
        package var size: Int
        /// The format; `nil` for a parameter's file.
        package var format: MediaFormat?
        /// The facts of an original or a Live Photo's video, with the metadata of the camera only.
        package var facts: PhotoFacts?
        /// The path of a referenced original; `nil` for a file that is named by its hash.
        package var path: String?
        /// The imported name of an original or a video, or the name of a parameter's file.
        package var filename: String?
        /// The identifier of the parameter whose value the file is.
        package var parameter: String?
        /// The location of the bytes, if they are in another input.
        package var container: Container?
        /// `true` if the original was unavailable when the plan was made, so that nodes render without it, as a
        /// re-render does. Otherwise `nil`.
        package var isUnavailable: Bool?
    }

    /// An edit that is run.
    package struct Step: Codable, Equatable, Sendable {
        /// The identifier of the edit.
        package let edit: String
        /// The digest of the extension.
        package let `extension`: WorkHash
        /// The identifier of the recipe's format, and its version.
        package let format: [String]
        /// The bytes of the recipe.
        package let recipe: Data
        /// The indices of the inputs that are the files of parameters.
        package let files: [Int]

        /// The recipe with its format.
        package var adjustmentData: AdjustmentData {
            AdjustmentData(
                formatIdentifier: format.first ?? "", formatVersion: format.last ?? "",
                data: recipe)
        }
    }

    /// A file that is rendered.
    package struct Output: Codable, Equatable, Sendable {
        /// The file that the steps start from. One member is set.
        package struct Source: Codable, Equatable, Sendable {
            /// The index of an input.
            package var input: Int?
            /// The index of an earlier output.
            package var output: Int?
        }

        /// The identifier of the edit.
        package let edit: String
        /// The kind of rendition: the current version or a lossless base.
        package let kind: Rendition.Kind
        /// The part of the asset: a photo or a video.
        package let part: Rendition.Part
        /// The index of the input that is the original of the part, whose metadata is copied.
        package let original: Int
        /// The file that the steps start from.
        package let from: Source
        /// The indices of the steps that are run, lowest first.
        package let steps: [Int]
        /// The settings of encoding.
        package let settings: EncodeSettings
        /// The key of the rendition; `nil` above an earlier output, whose hash is part of the key.
        package var key: WorkHash?
        /// True if each pixel of the file in ``from`` has the same position as in the upright original.
        package let pixelsInPlace: Bool
        /// The width in pixels of a Live Photo's still, which the recipes of its video were made for.
        package var stillWidth: Int?
    }
}
