// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

/// The rendering of a state of an asset: a base, and the edits that run over it without encoding in between.
struct StatePlan: Sendable {
    /// An edit to run again.
    struct Step: Sendable {
        let binary: ExtensionBinary
        let adjustmentData: AdjustmentData
        /// Whether the result is stored losslessly, as the base of later states. This is so if the step is expensive,
        /// or if it writes files, which must be verified before other extensions may read them.
        let storesResult: Bool
        /// The files that the parameters name.
        let files: [ParameterFile]

        init(
            binary: ExtensionBinary, adjustmentData: AdjustmentData, storesResult: Bool = false,
            files: [ParameterFile] = []
        ) {
            self.binary = binary
            self.adjustmentData = adjustmentData
            self.files = files
            self.storesResult = storesResult || binary.manifest.expensive
        }

        /// The build that will run the step.
        var identity: EditingExtensionIdentity { binary.identity }
        /// The step in the form that a runner expects.
        var renderStep: RenderStep {
            RenderStep(
                extensionIdentifier: binary.manifest.identifier, adjustmentData: adjustmentData)
        }
    }

    let assetIdentifier: String
    /// The original, stored or referenced.
    let originalResource: AssetResource
    /// The hash of the original's bytes.
    let original: SHA256Digest
    /// The facts about the original.
    let originalFacts: PhotoFacts
    /// The hash of the base: the original, or the stored rendition of a step that is not run again.
    let base: SHA256Digest
    /// The format of the base.
    let baseFormat: MediaFormat
    /// Whether each pixel of the base has the same position as in the upright original.
    let basePixelsAreInPlace: Bool
    /// The steps above the base, lowest first.
    var steps: [Step]
    /// The width in pixels of a Live Photo's still, which the recipes of its video were made for; otherwise `nil`.
    var stillWidth: Int?

    /// Whether each pixel of the state has the same position as in the upright original.
    var keepsPixelsInPlace: Bool {
        basePixelsAreInPlace && steps.allSatisfy(\.binary.manifest.keepsPixelsInPlace)
    }

    /// The binaries of the steps, without duplicates.
    var binaries: [ExtensionBinary] { Self.unique(steps.map(\.binary)) }

    /// Returns the inputs that determine the bytes of the encoded state.
    func ingredients(
        settings: EncodeSettings, _ versions: LibraryVersions
    ) -> RenditionIngredients {
        RenditionIngredients(
            base: base, original: original,
            steps: steps.map(RenditionIngredients.Step.init),
            settings: settings,
            hostRendering: HostVersion.rendering, vips: versions.vips, media: versions.media)
    }

    /// The versions of the libraries that a rendition depends on.
    struct LibraryVersions: Sendable {
        let vips: String
        /// FFmpeg's libraries with their versions, for a video; `nil` for a picture.
        let media: String?
    }

    /// Returns the results of steps by the positions of their edits in the stack, counted from 1. A disabled edit has
    /// a position but no step.
    ///
    /// - Parameters:
    ///   - results: The results by step index in the plan, from 0.
    ///   - planned: The number of steps in the plan that belong to the edits below.
    ///   - below: Whether each of the edits below is enabled.
    ///   - above: Whether each of the edits above them is enabled.
    static func byPlace<Result>(
        _ results: [Int: Result], ofStepsAbove planned: Int, _ below: [Bool], _ above: [Bool]
    ) -> [Int: Result] {
        func places(_ enabled: [Bool], from first: Int) -> [Int] {
            enabled.indices.filter { enabled[$0] }.map { first + $0 + 1 }
        }
        let all = places(below, from: 0).suffix(planned) + places(above, from: below.count)
        return Dictionary(
            uniqueKeysWithValues: results.compactMap { step, result in
                all.indices.contains(all.startIndex + step)
                    ? (all[all.startIndex + step], result) : nil
            })
    }

    static func unique(_ binaries: [ExtensionBinary]) -> [ExtensionBinary] {
        var seen: Set<String> = []
        return binaries.filter { seen.insert($0.manifest.identifier).inserted }
    }
}

extension StatePlan {
    /// The facts about the original for extensions: only the camera's metadata, without the user's keywords.
    var factsForExtensions: PhotoFacts {
        var facts = originalFacts
        facts.metadata = facts.metadata?.ofCamera
        return facts
    }
}

extension StatePlan {
    /// Returns the plan of the steps up to and including the one at `index`.
    func upTo(_ index: Int) -> StatePlan {
        var plan = self
        plan.steps = Array(steps[...index])
        return plan
    }

    /// Returns the plan of the steps above `index`, over the stored result of that step.
    func above(_ index: Int, over content: RenderedContent) -> StatePlan {
        over(
            content.blob.hash, content.format, Array(steps[(index + 1)...]),
            pixelsAreInPlace: upTo(index).keepsPixelsInPlace)
    }

    /// Returns a plan of other steps over a stored picture.
    ///
    /// - Parameter pixelsAreInPlace: Whether each pixel of the base has the same position as in the upright original.
    func over(
        _ base: SHA256Digest, _ format: MediaFormat, _ steps: [Step],
        pixelsAreInPlace: Bool = false
    ) -> StatePlan {
        StatePlan(
            assetIdentifier: assetIdentifier, originalResource: originalResource,
            original: original, originalFacts: originalFacts, base: base, baseFormat: format,
            basePixelsAreInPlace: pixelsAreInPlace, steps: steps, stillWidth: stillWidth)
    }
}
