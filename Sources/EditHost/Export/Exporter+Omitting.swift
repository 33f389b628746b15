// SPDX-License-Identifier: Apache-2.0

import Library
import RunnerProtocol

extension Exporter {
    /// Whether the files have a location that the user removed, and that must not be exported with the video.
    func hidesPlace(of history: AssetHistory) -> Bool {
        // Unedited files are exported as they were imported, unless the options change them.
        let isChanged =
            !history.chain.isEmpty || options.isConverted || options.omittedMetadata != nil
        let isLibrary = options.metadata.map { $0 == .library } ?? isChanged
        guard isLibrary, options.version == .current, history.asset.location == nil else {
            return false
        }
        return history.original?.facts?.location != nil
            || history.pairedVideo?.facts?.location != nil
    }

    /// The metadata to omit from the files of an asset: according to the options, and a location that the user removed.
    func omittedMetadata(of history: AssetHistory) -> EncodeSettings.OmittedMetadata? {
        guard hidesPlace(of: history) else { return options.omittedMetadata }
        return options.omittedMetadata.map(\.withLocation) ?? .location
    }
}
