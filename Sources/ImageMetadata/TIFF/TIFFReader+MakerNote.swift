// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension TIFFReader {
    /// The bytes of the maker note; `nil` if there is none.
    package var makerNote: [UInt8]? {
        first.flatMap { directories(ExifTag.exifDirectory, in: $0).first }
            .flatMap { raw(ExifTag.makerNote, in: $0) }
    }
}
