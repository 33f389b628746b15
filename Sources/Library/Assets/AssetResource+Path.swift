// SPDX-License-Identifier: Apache-2.0

extension AssetResource {
    /// The path of a referenced file; `nil` for a file that the library stores.
    package var referencedPath: String? {
        blob == nil ? url.flatMap(FileAddress.path(ofURL:)) : nil
    }
}
