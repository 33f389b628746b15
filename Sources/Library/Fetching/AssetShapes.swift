// SPDX-License-Identifier: Apache-2.0

/// The data that a grid needs to lay out the assets of a fetch result, by position: aspect ratios,
/// days and flags, in 8 bytes for each asset.
///
/// ```swift
/// let shapes = try result.shapes()
/// let isWide = shapes.aspects[0] > AssetShapes.aspectUnit
/// ```
public struct AssetShapes: Hashable, Sendable {
    /// The flags of an asset.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt16

        /// Creates flags from their bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// Edits make the current version differ from the original.
        public static let edited = Flags(rawValue: 1)
        /// The asset is a favourite.
        public static let favorite = Flags(rawValue: 2)
        /// The asset is a Live Photo, and more than its still is shown: its edits, if there are any,
        /// cover its video.
        public static let live = Flags(rawValue: 4)
        /// The asset is a video.
        public static let video = Flags(rawValue: 8)
        /// The original is a referenced file that is missing or has a different size.
        public static let missing = Flags(rawValue: 16)
        /// The asset is hidden.
        public static let hidden = Flags(rawValue: 32)
        /// The asset is rejected, which is a rating.
        public static let rejected = Flags(rawValue: 64)

        /// The stars, from 0 to 5, in the bits 8 to 10.
        public var stars: Int { Int(rawValue >> 8) & 7 }
    }

    /// The day of an asset without a capture date.
    public static let unknownDay = Int32.min
    /// The aspect ratio of a square, and of an asset of unknown size.
    public static let aspectUnit: UInt16 = 4096

    /// The days of capture by the camera's clock, counted from 1 January 1970.
    public internal(set) var days: [Int32]
    /// The width of each current version divided by its height, in units of 1/4096, from 1 to
    /// 65,535.
    public internal(set) var aspects: [UInt16]
    /// The flags.
    public internal(set) var flags: [Flags]

    /// The number of assets.
    public var count: Int { days.count }

    /// Creates shapes with unknown days, square aspect ratios and no flags.
    init(count: Int) {
        days = Array(repeating: Self.unknownDay, count: count)
        aspects = Array(repeating: Self.aspectUnit, count: count)
        flags = Array(repeating: [], count: count)
    }

    /// Returns the aspect ratio of a size.
    static func aspect(width: Int, height: Int) -> UInt16 {
        guard width > 0, height > 0 else { return aspectUnit }
        let ratio = (Double(width) / Double(height) * Double(aspectUnit)).rounded()
        return UInt16(min(max(ratio, 1), Double(UInt16.max)))
    }
}
