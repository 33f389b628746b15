// SPDX-License-Identifier: Apache-2.0

import EditingModel

/// The result of an ``ExtensionTrial``.
public struct ExtensionTrialResult: Sendable {
    /// The identifier of the extension.
    public let extensionIdentifier: String
    /// The values of all parameters, as the extension reports them.
    public let parameters: [String: ParameterValue]
    /// The recipe that the extension would commit.
    public let adjustmentData: AdjustmentData
    /// The size of the written picture.
    public let pixelSize: PixelSize
    /// The metadata of the input that the written file lacks, described for the user.
    public let warnings: [String]
}
