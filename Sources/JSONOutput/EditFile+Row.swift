// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

extension EditFile {
    /// The JSON of an edit's file in `show`.
    package var row: JSONRow {
        [
            "parameter": parameter, "filename": filename, "sha256": hash.hex, "size": size,
        ]
    }
}
