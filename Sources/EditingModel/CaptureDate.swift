// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The moment a photograph was taken, as its file tells it.
///
/// Cameras write local time, often without saying which zone: `offset` is nil then, and
/// `date` reads the local time as if it were UTC, so that such dates sort and print as written.
public struct CaptureDate: Codable, Hashable, Sendable {
    /// The moment. Without `offset`, the camera's wall clock read as UTC.
    public let date: Date
    /// Seconds east of UTC of the camera's clock, or nil where the file does not say.
    public let offset: Int?

    /// Makes a date.
    public init(date: Date, offset: Int?) {
        self.date = date
        self.offset = offset
    }
}
