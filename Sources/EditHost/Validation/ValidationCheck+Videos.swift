// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// Checks of extensions that edit videos.
extension ValidationCheck {
    static let videoChecks: [ValidationCheck] = [
        ValidationCheck(
            "video-frames",
            "The frames of a video have one size and ascending times after the edit, and are equal "
                + "in another process.",
            requires: ["finish", "parameter-changes"]
        ) { context in
            try await context.withExtension { tested in
                guard tested.manifest.supportedMediaTypes.contains(.video) else {
                    throw ValidationFinding.skip("the extension edits no videos")
                }
                for values in try await tested.settings() {
                    try await checkFrames(of: tested, values)
                }
            }
        }
    ]

    private static func checkFrames(
        of tested: ValidatedExtension, _ values: [String: ParameterValue]
    ) async throws {
        let recipe = try await tested.edit(ValidationPicture(), values).recipe
        // The first frames of a video that is trimmed are not edited.
        guard
            try await tested.kept(by: recipe).allSatisfy({ $0.timing == ValidatedExtension.timing })
        else { return }
        let pictures = (0..<5).map { ValidationPicture().shifted(by: $0 * 7) }
        let first = try await tested.frames(pictures, recipe)
        guard let size = first.first?.picture.size else {
            throw ValidationFinding.failure("a video of 5 frames has none after the edit")
        }
        if let other = first.first(where: { $0.picture.size != size }) {
            throw ValidationFinding.failure(
                "a frame has \(other.picture.size) pixels, but the first one \(size)")
        }
        guard zip(first, first.dropFirst()).allSatisfy({ $0.time < $1.time }) else {
            throw ValidationFinding.failure("the times of its frames do not ascend")
        }
        await tested.restart()
        guard try await tested.frames(pictures, recipe) == first else {
            throw ValidationFinding.failure(
                "the same frames have different pixels in another process")
        }
    }
}
