// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import RunnerHost
import RunnerProtocol

/// Checks that compare pixels.
extension ValidationCheck {
    static let pixelChecks: [ValidationCheck] = [
        ValidationCheck(
            "output-range",
            "A colourful picture does not become black with the default values, which happens if "
                + "floating-point pixels are 0 to 1 instead of 0 to 255 or 65535.",
            requires: ["finish"]
        ) { context in
            try await context.withExtension { tested in
                let edit = try await tested.edit(ValidationPicture())
                guard
                    edit.picture.colors(fullOpacity: 1).allSatisfy({ color in
                        color?.allSatisfy { $0 <= 2 } ?? true
                    })
                else { return }
                throw ValidationFinding.failure(
                    "the output is black; the pixels of a floating-point image must be 0...255, or "
                        + "0...65535 for 16-bit input")
            }
        },
        ValidationCheck(
            "pixel-formats",
            "Pictures with 8 and 16 bits, with and without alpha, have the same colours after the "
                + "edit, within rounding.",
            requires: ["output-range", "deterministic"]
        ) { context in
            try await forPixels(context) { tested, values in
                let reference = try await tested.edit(ValidationPicture(), values).picture
                let accepted = tested.manifest.pixelFormats
                // Extensions that do not accept alpha get transparent pixels blended with black. The check "alpha"
                // reports that.
                let formats = PixelFormat.allCases.filter {
                    $0 != .rgb8 && (!$0.hasAlpha || accepted.contains(where: \.hasAlpha))
                }
                for format in formats {
                    let picture = try await tested.edit(ValidationPicture(48, 36, format), values)
                        .picture
                    let share = picture.share(differingFrom: reference, by: 2)
                    // At the edges of a rotated picture, the fill colour blends into pixels without alpha.
                    guard share > 0.05 else { continue }
                    throw ValidationFinding.failure(
                        "the result for \(format.rawValue) differs from that for rgb8 in "
                            + "\(Int((share * 100).rounded())) % of the pixels; use the number of "
                            + "bands and the format of each image, or list the formats that the code "
                            + "can edit in the manifest's \"pixelFormats\"")
                }
            }
        },
        ValidationCheck(
            "alpha",
            "Alpha is kept, and not edited like a colour.",
            requires: ["pixel-formats"]
        ) { context in
            try await forPixels(context) { tested, values in
                guard tested.manifest.pixelFormats.contains(where: \.hasAlpha) else {
                    throw ValidationFinding.warning(
                        "the manifest's \"pixelFormats\" have no alpha, so transparent pixels become "
                            + "black; add rgba8 and rgba16")
                }
                let picture = try await tested.edit(ValidationPicture(48, 36, .rgba8), values)
                    .picture
                guard picture.bands == 4 else {
                    throw ValidationFinding.warning("the result has no alpha")
                }
                let levels = picture.levels
                let alphas = stride(from: 3, to: levels.count, by: 4).map { levels[$0] }
                let wanted = Double(ValidationPicture.opacity)
                guard alphas.count(where: { abs($0 - wanted) > 1 }) * 2 > alphas.count else {
                    return
                }
                throw ValidationFinding.warning(
                    "alpha changes, for example from \(Int(wanted)) to "
                        + "\(Int(alphas[alphas.count / 2])); keep the fourth band as it is")
            }
        },
        ValidationCheck(
            "wide-gamut",
            "Pictures in Display P3, Adobe RGB and ProPhoto RGB can be edited like those in sRGB.",
            requires: ["finish", "parameter-changes"]
        ) { context in
            try await forPixels(context) { tested, values in
                for profile in [ColorProfile.displayP3, .adobeRGB, .proPhotoRGB] {
                    let picture = ValidationPicture(48, 36, .rgb16, profile: profile)
                    _ = try await tested.edit(picture, values)
                }
            }
        },
        ValidationCheck(
            "sizes",
            "Pictures with one pixel, row or column, or with an odd side length, can be edited.",
            requires: ["finish", "parameter-changes"]
        ) { context in
            try await forPixels(context) { tested, values in
                let sizes = [(1, 1), (1, 17), (17, 1), (2, 3), (31, 37), (127, 3), (3, 127)]
                for (width, height) in sizes {
                    do {
                        _ = try await tested.edit(ValidationPicture(width, height), values)
                    } catch let error as HostError where error.underlying is RunnerFailure {
                        throw ValidationFinding.failure("\(width)x\(height): \(error.message)")
                    }
                }
            }
        },
        ValidationCheck(
            "orientation",
            "The orientation of the original has no effect, because images are upright already.",
            requires: ["deterministic"]
        ) { context in
            try await forPixels(context) { tested, values in
                let reference = try await tested.edit(ValidationPicture(), values).picture
                for orientation in 2...8 {
                    let edit = try await tested.edit(ValidationPicture(), values) {
                        $0.capture.orientation = orientation
                    }
                    guard edit.picture != reference else { continue }
                    throw ValidationFinding.failure(
                        "the result differs if the original has orientation \(orientation)")
                }
            }
        },
        ValidationCheck(
            "sequential-access",
            "Images that are requested with sequential access are read from top to bottom; reading "
                + "rows above fails in large pictures.",
            requires: ["finish", "parameter-changes"]
        ) { context in
            try await forPixels(context) { tested, values in
                _ = try await tested.edit(ValidationPicture(16, 1500), values)
            }
        },
        ValidationCheck(
            "threads",
            "The pixels do not depend on the number of threads.", requires: ["deterministic"]
        ) { context in
            var pictures: [[ValidationPicture]] = []
            for threads in [1, 4] {
                pictures.append(
                    try await context.withExtension({ $0.threadsPerRunner = threads }) { tested in
                        var edited: [ValidationPicture] = []
                        for values in try await tested.settings() {
                            edited.append(
                                try await tested.edit(ValidationPicture(300, 200), values).picture)
                        }
                        return edited
                    })
            }
            guard pictures[0] == pictures[1] else {
                throw ValidationFinding.failure("the pixels differ between 1 and 4 threads")
            }
        },
        ValidationCheck(
            "preview-parts",
            "A part of a preview has the same pixels as the whole preview.",
            requires: ["preview-repeated", "deterministic"]
        ) { context in
            try await forPixels(context) { tested, values in
                try await checkParts(of: tested, values)
            }
        },
        ValidationCheck(
            "display-size",
            "The preview at display size looks like the finished edit: lengths in pixels are "
                + "multiplied by the scale.",
            requires: ["preview", "output-range", "parameter-changes"]
        ) { context in
            try await forPixels(context) { tested, values in
                try await checkDisplaySize(of: tested, values)
            }
        },
    ]

    /// Calls a closure for the default values and for changed ones.
    private static func forPixels(
        _ context: ValidationContext,
        _ body: (ValidatedExtension, [String: ParameterValue]) async throws -> Void
    ) async throws {
        try await context.withExtension { tested in
            for values in try await tested.settings() { try await body(tested, values) }
        }
    }

    private static func checkParts(
        of tested: ValidatedExtension, _ values: [String: ParameterValue]
    ) async throws {
        let picture = ValidationPicture(64, 48)
        let quarter = NormalizedRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        let (whole, part) = try await tested.withSession { session in
            var start = tested.start(picture)
            start.isInteractive = true
            _ = try await session.start(start, [(.base, try picture.file())])
            if !values.isEmpty { _ = try await session.setParameters(values) }
            let whole = try await tested.preview(session, PixelSize(width: 512, height: 512))
            let part = try await tested.preview(session, whole.size, quarter)
            return (whole, part)
        }
        let region = ImageGeometry.region(quarter, of: whole.size)
        let wanted = whole.cropped(region.left, region.top, region.size)
        guard wanted.share(differingFrom: part, by: 2) <= 0.02 else {
            throw ValidationFinding.failure(
                "the lower right quarter of the preview differs from that of the whole preview")
        }
    }

    private static func checkDisplaySize(
        of tested: ValidatedExtension, _ values: [String: ParameterValue]
    ) async throws {
        if tested.isForVideos { throw ValidationFinding.skip("it edits no photos") }
        let picture = ValidationPicture(512, 384, isSmooth: true)
        let (preview, finished) = try await tested.withSession { session in
            var start = tested.start(picture)
            start.isInteractive = true
            start.displaySize = 128
            _ = try await session.start(start, [(.base, try picture.file())])
            if !values.isEmpty { _ = try await session.setParameters(values) }
            let preview = try await tested.preview(session, PixelSize(width: 128, height: 128))
            let finished = try await tested.finish(session)
            return (preview, try await tested.pixels(of: finished, in: session))
        }
        // The display image has a quarter of the size. The preview of an edit that enlarges it is fitted into the box.
        let scale = min(0.25, 128 / Double(max(finished.size.width, finished.size.height)))
        let wanted = PixelSize(
            width: max(1, Int((Double(finished.size.width) * scale).rounded())),
            height: max(1, Int((Double(finished.size.height) * scale).rounded())))
        guard abs(preview.size.width - wanted.width) <= 2,
            abs(preview.size.height - wanted.height) <= 2
        else {
            throw ValidationFinding.warning(
                "the preview has \(preview.size) pixels, but the finished edit \(wanted) at the "
                    + "same scale")
        }
        let difference = preview.meanDifference(fromReduced: finished)
        guard difference <= 8 else {
            throw ValidationFinding.warning(
                "the preview differs from the finished edit by \(Int(difference.rounded())) of 255 "
                    + "levels on average")
        }
    }
}
