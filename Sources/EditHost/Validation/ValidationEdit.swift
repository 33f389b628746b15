// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The result of an edit by an extension that is validated.
struct ValidationEdit: Hashable, Sendable {
    /// The values of all parameters, as the extension reports them.
    let parameters: [String: ParameterValue]
    /// The recipe.
    let recipe: AdjustmentData
    /// The pixels. For a video, those of its first frame.
    let picture: ValidationPicture
}
