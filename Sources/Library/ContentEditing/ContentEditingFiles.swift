// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Synchronization

/// The input files and output folder of an application that edits without an extension. The folder is
/// removed with the last input or output that references it.
package final class ContentEditingFiles: Sendable {
    let fullSizeImage: URL?
    let displaySizeImage: DisplaySizeImage?
    private let folder: URL
    private let owner: any AnyObject & Sendable
    private let outputCount = Mutex(0)

    /// - Parameters:
    ///   - folder: The folder for outputs.
    ///   - owner: An object that keeps the folder alive for its own lifetime.
    package init(
        fullSizeImage: URL?, displaySizeImage: DisplaySizeImage?, folder: URL,
        owner: any AnyObject & Sendable
    ) {
        self.fullSizeImage = fullSizeImage
        self.displaySizeImage = displaySizeImage
        self.folder = folder
        self.owner = owner
    }

    /// Returns the path of a new output, without an extension.
    func makeOutput() -> URL {
        let number = outputCount.withLock { count in
            count += 1
            return count
        }
        return folder.appending(path: "output-\(number)")
    }
}
