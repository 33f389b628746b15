// SPDX-License-Identifier: Apache-2.0

import EditingModel
import JSONOutput
import Library

extension GeneralOptions {
    /// Prints the current state of an album or folder.
    ///
    /// - Parameter verb: The change as a participle; `nil` if the contents were changed.
    func printCollection(
        _ identifier: String, in library: PhotoLibrary, _ verb: String? = nil
    ) throws {
        let collection = try library.collection(withLocalIdentifier: identifier)
        let facts = [verb, collection.assetCount?.counted("photo")].compactMap(\.self)
        try output.print(
            collection.row,
            "\(collection.title) (\(ShortIdentifier.of(identifier))): "
                + facts.joined(separator: ", "))
    }
}
