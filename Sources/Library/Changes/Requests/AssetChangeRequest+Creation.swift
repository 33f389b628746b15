// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

extension AssetChangeRequest {
    /// Creates a request for a new photo from a file; see
    /// ``AssetCreationRequest/creationRequestForAssetFromImage(atFileURL:)``.
    ///
    /// - Throws: The errors of that method.
    public static func creationRequestForAssetFromImage(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: url)
    }

    /// Creates a request for a new video from a file; see
    /// ``AssetCreationRequest/creationRequestForAssetFromVideo(atFileURL:)``.
    ///
    /// - Throws: The errors of that method.
    public static func creationRequestForAssetFromVideo(
        atFileURL url: URL
    ) throws -> AssetCreationRequest {
        try AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: url)
    }
}
