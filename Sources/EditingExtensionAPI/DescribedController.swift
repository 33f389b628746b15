// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// A controller whose manifest can be generated from the code.
protocol DescribedController: ContentEditingController {
    /// Returns the manifest as JSON, without the name of the library.
    static func manifest() throws -> String
}
