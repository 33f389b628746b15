// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetResource {
    /// Creates the resource of an original that is rendered without a library. It is opened by its
    /// hash.
    package init(
        originalOfAsset identifier: String, named filename: String, _ type: AssetResourceType,
        _ hash: SHA256Digest, size: Int, facts: PhotoFacts
    ) {
        self.init(
            type: type, assetLocalIdentifier: identifier, originalFilename: filename,
            format: facts.format, blob: hash, url: nil, contentHash: hash, size: size,
            contentDate: nil, facts: facts, isPrimary: type != .pairedVideo)
    }
}
