// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A condition on assets. What cannot be asked for cannot be written.
///
/// ```swift
/// var options = FetchOptions()
/// options.predicate = .and([.isFavorite, .date(.creation, .atLeast(newYear)), .not(.isInBurst)])
/// ```
///
/// A condition on what an asset does not have, such as the date of one without, is not met, and
/// `not` of it is.
public indirect enum AssetPredicate: Hashable, Sendable {
    /// All of them are met; with none, always.
    case and([AssetPredicate])
    /// At least one of them is met; with none, never.
    case or([AssetPredicate])
    /// It is not met.
    case not(AssetPredicate)

    /// The user marked it as a favourite.
    case isFavorite
    /// The user hid it. ``FetchOptions/includeHiddenAssets`` must be set too.
    case isHidden
    /// Its current version differs from the original by edits.
    case hasAdjustments
    /// It belongs to a burst.
    case isInBurst
    /// It stands for its burst.
    case representsBurst
    /// It is of one of these media.
    case mediaType([MediaType])
    /// It is of all of these finer kinds.
    case mediaSubtypes(MediaSubtype)
    /// How its finer kinds compare with some.
    case mediaSubtypeMask(MaskTest<MediaSubtype>)
    /// It came from one of these. ``FetchOptions/includeAssetSourceTypes`` must have it too.
    case sourceType(AssetSourceType)
    /// It was picked in all of these ways.
    case burstSelectionTypes(AssetBurstSelectionType)
    /// How the ways in which it was picked compare with some.
    case burstSelectionMask(MaskTest<AssetBurstSelectionType>)
    /// One of its dates, to the microsecond.
    case date(DateKey, ValueTest<Date>)
    /// One of its sizes, in pixels.
    case size(SizeKey, ValueTest<Int>)
    /// Its length in seconds.
    case duration(ValueTest<Double>)
    /// One of its texts.
    case text(TextKey, TextTest)
    /// One of its keywords. `missing`: it has none.
    case keyword(TextTest)
    /// Its stars, -1...5.
    case rating(ValueTest<Int>)
    /// For how long it was exposed, in seconds.
    case exposureTime(ValueTest<Double>)
    /// Its original is a RAW file, or has one beside it.
    case hasRAW
    /// An extension of this identifier made one of the edits of the current version.
    case editedBy(String)
    /// It is known where it was taken.
    case hasLocation
    /// It was taken within so many metres of a position, on a sphere as large as Earth.
    case near(Location, metres: Double)
    /// It was taken in an area.
    case inside(GeographicArea)

    /// The dates of an asset.
    public enum DateKey: String, Hashable, Sendable, CaseIterable {
        /// When it was taken. Without the camera's offset, its clock is read as UTC.
        case creation
        /// What the camera's clock showed when it was taken, read as UTC: what was taken on a day is
        /// found by that, wherever it was. Of a day without a time, noon.
        case clock
        /// The time of the file that was imported.
        case file
        /// When it came into the library.
        case added
        /// When its content or metadata last changed.
        case modification
    }

    /// The sizes of an asset, in pixels.
    public enum SizeKey: String, Hashable, Sendable, CaseIterable {
        /// The current version's width.
        case pixelWidth
        /// The current version's height.
        case pixelHeight
        /// The original's width, held upright.
        case originalPixelWidth
        /// The original's height, held upright.
        case originalPixelHeight
    }

    /// The texts of an asset.
    public enum TextKey: String, Hashable, Sendable, CaseIterable {
        /// The identifier.
        case localIdentifier
        /// The name of the file that was imported.
        case originalFilename
        /// The format of the last edit's recipe.
        case adjustmentFormatIdentifier
        /// What the pictures of one burst have in common.
        case burstIdentifier
        /// Who made the camera.
        case cameraMake
        /// The camera.
        case cameraModel
        /// The lens.
        case lensModel
        /// What a Live Photo's picture and its video have in common.
        case contentIdentifier
        /// The title.
        case title
        /// What it shows, in words.
        case description
        /// The colour or word that it is labelled with.
        case label
    }

    /// What a number or a date is compared with.
    public enum ValueTest<Value: Hashable & Sendable>: Hashable, Sendable {
        /// It is this.
        case equal(Value)
        /// It is less, or earlier.
        case lessThan(Value)
        /// It is this, or less, or earlier.
        case atMost(Value)
        /// It is more, or later.
        case greaterThan(Value)
        /// It is this, or more, or later.
        case atLeast(Value)
        /// It lies between two, or is one of them; never, where the first is the greater.
        case between(Value, Value)
        /// It is one of these.
        case oneOf([Value])
        /// There is none.
        case missing
    }

    /// What a set of marks is compared with.
    public enum MaskTest<Mask: OptionSet & Hashable & Sendable>: Hashable, Sendable {
        /// It has all of these, and perhaps others.
        case allOf(Mask)
        /// It has at least one of these; never, where there are none.
        case anyOf(Mask)
        /// It has none of these.
        case noneOf(Mask)
        /// It has these and no others.
        case exactly(Mask)
    }

    /// What a text is compared with.
    public enum TextTest: Hashable, Sendable {
        /// It has exactly these characters.
        case equal(String)
        /// It is exactly one of these.
        case oneOf([String])
        /// It begins so, in any case.
        case beginsWith(String)
        /// It has this in it, in any case.
        case contains(String)
        /// There is none.
        case missing
    }
}

/// An area on Earth between two parallels and two meridians, its edges included.
public struct GeographicArea: Hashable, Sendable {
    /// Its southern edge, in degrees north.
    public let south: Double
    /// Its western edge, in degrees east.
    public let west: Double
    /// Its northern edge, in degrees north.
    public let north: Double
    /// Its eastern edge, in degrees east; less than `west` where the area lies across the 180th
    /// meridian.
    public let east: Double

    /// Makes an area, or nil where a latitude is not in -90...90, a longitude not in -180...180,
    /// or the south is north of the north.
    public init?(south: Double, west: Double, north: Double, east: Double) {
        guard (-90.0...90.0).contains(south), (-90.0...90.0).contains(north), south <= north,
            (-180.0...180.0).contains(west), (-180.0...180.0).contains(east)
        else { return nil }
        (self.south, self.west, self.north, self.east) = (south, west, north, east)
    }
}
