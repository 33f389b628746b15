// SPDX-License-Identifier: Apache-2.0

import Library

extension AssetHistory {
    /// The RAW file of a photo that was imported with a JPEG.
    var rawOriginal: AssetResource? {
        originals.first { $0.type == .alternatePhoto }
    }
}
