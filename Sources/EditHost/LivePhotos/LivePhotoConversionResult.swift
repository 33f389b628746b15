// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import Library

/// The result of converting one Live Photo, or of a file that is not part of one.
public struct LivePhotoConversionResult: Sendable {
    /// The path of the still, or of the file that is not part of a Live Photo.
    public let path: String
    /// The paths of the new files, or the error.
    public let files: Result<[String], any Error>
    /// Warnings for the user.
    public let warnings: [String]
}

extension LivePhotoConversionResult {
    /// Creates the result for a file that was not imported, or a video without a picture.
    init(_ result: ImportResult) {
        let name = (result.path as NSString).lastPathComponent
        self.init(
            path: result.path,
            files: .failure(
                result.error
                    ?? HostError(
                        .unsupportedMediaType,
                        "\(name) is not part of a Live Photo: its picture is missing")),
            warnings: [])
    }

    /// Creates the result for a picture without a video.
    init(_ still: String) {
        let name = (still as NSString).lastPathComponent
        self.init(
            path: still,
            files: .failure(
                HostError(
                    .unsupportedMediaType,
                    "\(name) is not part of a Live Photo: its video is missing")),
            warnings: [])
    }
}
