// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A tree of pictures to import.
extension Workbench {
    /// The path of the tree.
    var tree: String { folder.file("tree") }

    /// Writes a picture to a path in the tree. Pictures of different widths have different bytes.
    func write(_ path: String, width: Int) throws {
        try folder.write(
            TestPicture.gradient(width: width, height: 10).encoded("jpeg"), to: "tree/" + path)
    }
}
