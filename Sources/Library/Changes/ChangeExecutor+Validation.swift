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
        guard state.duration >= 0, state.duration.isFinite else {
            throw LibraryError(
                .invalidRequest, "it cannot be \(state.duration) seconds long",
                assetIdentifier: identifier)
        }
    }

    /// Throws where a date or a position is none that there can be.
    static func requireValid(
        date: CaptureDate?, location: Location?, asset identifier: String
    ) throws {
        if let date, !isWritable(date) {
            throw LibraryError(
                .invalidRequest,
                "a date is of the years 1 to 9999, its clock a day from UTC at most",
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

    /// Whether the clock shows a year of four digits; a leap second may end the last.
    private static func isWritable(_ date: CaptureDate) -> Bool {
        let clock = date.date.timeIntervalSince1970 + Double(date.offset ?? 0)
        return (-62_135_596_800...253_402_300_800).contains(clock)
            && (-86400...86400).contains(date.offset ?? 0)
    }
}
