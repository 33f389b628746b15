// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// How a state of an asset is made: a base, and the edits that are run over it un-encoded.
struct StatePlan: Sendable {
    /// One edit that is run again.
    struct Step: Sendable {
        let binary: ExtensionBinary
        let adjustmentData: AdjustmentData
        /// Its result is stored without loss, and later states start from that: it is expensive,
        /// or it writes files, which have to be verified before others may read them.
        let storesResult: Bool
        /// What its parameters name.
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

        /// The build that will run it.
        var identity: EditingExtensionIdentity { binary.identity }
        /// The step as a runner wants it.
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
    /// What the original is.
    let originalFacts: PhotoFacts
    /// The base's bytes: the original, or the stored rendition of a step that is not run again.
    let base: SHA256Digest
    /// The base's format.
    let baseFormat: MediaFormat
    /// Whether each pixel of the base is where it is in the original held upright.
    let basePixelsAreInPlace: Bool
    /// The steps above the base, lowest first.
    var steps: [Step]
    /// Of a Live Photo's video: the width of its still, which the recipes were made for, in pixels.
    var stillWidth: Int?

    /// Whether each pixel of the state is where it is in the original held upright.
    var keepsPixelsInPlace: Bool {
        basePixelsAreInPlace && steps.allSatisfy(\.binary.manifest.keepsPixelsInPlace)
    }

    /// The binaries of the steps, each once.
    var binaries: [ExtensionBinary] { Self.unique(steps.map(\.binary)) }

    /// What determines the bytes when the state is encoded.
    func ingredients(
        settings: EncodeSettings, _ versions: LibraryVersions
    ) -> RenditionIngredients {
        RenditionIngredients(
            base: base, original: original,
            steps: steps.map(RenditionIngredients.Step.init),
            settings: settings,
            hostRendering: HostVersion.rendering, vips: versions.vips, media: versions.media)
    }

    /// The libraries that a rendition depends on.
    struct LibraryVersions: Sendable {
        let vips: String
        /// Of a video; nil: it is a picture.
        let media: String?
    }

    /// Results of steps, by the places in the chain of the edits that they are of, counted from 1. Disabled edits have a
    /// place, and no step.
    ///
    /// - Parameters:
    ///   - results: by the steps' numbers in the plan, from 0.
    ///   - planned: how many steps of the plan are of the edits below.
    ///   - below: of these edits, whether they are enabled.
    ///   - above: the same of those above them.
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

extension ExtensionBinary {
    /// The build, as an edit records it.
    var identity: EditingExtensionIdentity {
        EditingExtensionIdentity(
            identifier: manifest.identifier, version: manifest.version, binaryHash: libraryHash,
            hashedFilesHash: filesHash)
    }
}
