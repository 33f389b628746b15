// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Hummingbird

/// A request for a preview of an editing session.
struct SessionPreviewRequest: Sendable {
    /// The allowed lengths of the longer side, in pixels.
    static let sizes = 1...2048

    /// The body of the request.
    struct Body: Decodable, Sendable {
        let values: [String: ParameterValue]
        let other: [String: ParameterValue]

        private enum CodingKeys: String, CodingKey, CaseIterable { case values, other }

        init(from decoder: any Decoder) throws {
            try UnknownKeys.reject(decoder, known: CodingKeys.allCases.map(\.rawValue))
            let body = try decoder.container(keyedBy: CodingKeys.self)
            func value(_ key: CodingKeys) throws -> [String: ParameterValue] {
                try body.decodeIfPresent([String: ParameterValue].self, forKey: key) ?? [:]
            }
            values = try value(.values)
            other = try value(.other)
        }
    }

    /// The number of the preview; nil if it is not ordered.
    let revision: Int?
    /// The longer side in pixels; nil for that of the session.
    let size: Int?
    /// The time of the frame of a video in seconds; nil for the first.
    let time: Double?
    /// The values of the session from now on.
    let values: [String: ParameterValue]
    /// Values for this preview only.
    let others: [String: ParameterValue]
    /// The left and top edges, the width and the height in full-size pixels of the edited picture; nil for all of it.
    private let region: [Double]?

    /// Whether only a part of the picture is requested.
    var isPart: Bool { region != nil }

    /// - Throws: `StudioError` with `invalidRequest`.
    init(_ query: Query, _ body: Body) throws(StudioError) {
        revision = try query.integer("revision", in: 0...(1 << 53))
        size = try query.integer("size", in: Self.sizes)
        region = try query.numbers("region", count: 4)
        time = try query.numbers("time", count: 1)?.first
        guard time.map({ $0 >= 0 }) ?? true else {
            throw StudioError(.invalidRequest, "time must not be negative")
        }
        (values, others) = (body.values, body.other)
    }

    /// Returns the region as fractions of the edited picture. A region that extends beyond the picture is clipped,
    /// because the size of the picture may have changed since the page received it.
    ///
    /// - Throws: `StudioError` with `invalidRequest` for a region entirely outside the picture.
    func region(of full: PixelSize) throws(StudioError) -> NormalizedRect? {
        guard let region else { return nil }
        let (width, height) = (Double(full.width), Double(full.height))
        let (left, top) = (max(0, region[0]), max(0, region[1]))
        let right = min(width, region[0] + region[2])
        let bottom = min(height, region[1] + region[3])
        guard left < right, top < bottom else {
            throw StudioError(
                .invalidRequest, "the region is beyond the picture, which has \(full) pixels")
        }
        return NormalizedRect(
            x: left / width, y: top / height, width: (right - left) / width,
            height: (bottom - top) / height)
    }
}
