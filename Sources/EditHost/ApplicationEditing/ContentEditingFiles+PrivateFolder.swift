// SPDX-License-Identifier: Apache-2.0

import Foundation
import Library
import RunnerHost

extension ContentEditingFiles {
    /// Creates files in a private folder, which is removed when its last reference is released.
    convenience init(
        fullSizeImage: URL? = nil, displaySizeImage: DisplaySizeImage? = nil,
        in folder: PrivateFolder
    ) {
        self.init(
            fullSizeImage: fullSizeImage, displaySizeImage: displaySizeImage,
            folder: URL(fileURLWithPath: folder.path, isDirectory: true), owner: folder)
    }
}
