// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

extension ChangeExecutor {
    /// Throws where a new asset is said to be what none can be.
    func requireValid(_ state: AssetCreationRequest.State, asset identifier: String) throws {
        try Self.requireValid(burst: state.burstIdentifier, asset: identifier)
        try Self.requireValid(keywords: state.keywords ?? [], asset: identifier)
        try Self.requireValid(
            date: state.captureDate, location: state.location, asset: identifier)
        let isLong = state.duration > 0 && state.mediaType != .image
        guard state.duration == 0 || isLong && state.duration.isFinite else {
            throw LibraryError(
                .invalidRequest,
                "an asset of type \(state.mediaType.name) cannot be \(state.duration) seconds long",
                assetIdentifier: identifier)
        }
    }

    /// Throws where a date or a position is none that there can be.
    static func requireValid(
        date: CaptureDate?, location: Location?, asset identifier: String
    ) throws {
        if let date, !date.isWritable {
            throw LibraryError(
                .invalidRequest,
                "a date is of the years 1 to 9999, its clock less than a day from UTC",
                assetIdentifier: identifier)
        }
        // Making a position checks it, but decoding one does not.
        if let location,
            Location(latitude: location.latitude, longitude: location.longitude) == nil
        {
            throw LibraryError(
                .invalidRequest,
                "\(location.latitude), \(location.longitude) is no position on Earth",
                assetIdentifier: identifier)
        }
    }
}
