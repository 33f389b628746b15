// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

/// A type-safe condition on assets.
///
/// ```swift
/// var options = FetchOptions()
/// options.predicate = .and([.isFavorite, .date(.creation, .atLeast(newYear)), .not(.isInBurst)])
/// ```
///
/// A comparison with a missing value, such as the date of an undated asset, is false; its negation
/// with `not` is true.
public indirect enum AssetPredicate: Hashable, Sendable {
    /// True if all conditions are true. An empty list is true.
    case and([AssetPredicate])
    /// True if at least one condition is true. An empty list is false.
    case or([AssetPredicate])
    /// True if the condition is false.
    case not(AssetPredicate)

    /// Assets marked as favourites by the user.
    case isFavorite
    /// Assets hidden by the user. Requires ``FetchOptions/includeHiddenAssets``.
    case isHidden
    /// Assets whose current version has edits.
    case hasAdjustments
    /// Assets that belong to a burst.
    case isInBurst
    /// Assets that represent their burst.
    case representsBurst
    /// Assets of any of these media types.
    case mediaType([MediaType])
    /// Assets that have all of these media subtypes.
    case mediaSubtypes(MediaSubtype)
    /// Compares the set of media subtypes.
    case mediaSubtypeMask(MaskTest<MediaSubtype>)
    /// Assets from any of these sources. ``FetchOptions/includeAssetSourceTypes`` must include
    /// them.
    case sourceType(AssetSourceType)
    /// Burst photos that have all of these selection types.
    case burstSelectionTypes(AssetBurstSelectionType)
    /// Compares the set of burst selection types.
    case burstSelectionMask(MaskTest<AssetBurstSelectionType>)
    /// Compares a date, with microsecond precision.
    case date(DateKey, ValueTest<Date>)
    /// Compares a dimension in pixels.
    case size(SizeKey, ValueTest<Int>)
    /// Compares the duration in seconds.
    case duration(ValueTest<Double>)
    /// Compares a text property.
    case text(TextKey, TextTest)
    /// Compares the keywords; one match is enough. `missing` matches assets without keywords.
    case keyword(TextTest)
    /// Compares the rating in stars, -1...5.
    case rating(ValueTest<Int>)
    /// Compares the exposure time in seconds.
    case exposureTime(ValueTest<Double>)
    /// Assets with a RAW original, or with a RAW file beside the original.
    case hasRAW
    /// Assets whose original, or a RAW file beside it, has any of these formats.
    case originalFormat([MediaFormat])
    /// The asset whose original has this hash, stored or referenced.
    case originalHash(SHA256Digest)
    /// Assets imported from a folder that matches a glob pattern, or from a folder below it.
    ///
    /// The pattern is compared with names and paths of folders as `fnmatch` with `FNM_PATHNAME`
    /// does; if it begins with a slash, only with paths. It has at most 4096 bytes.
    case folder(String)
    /// Assets in at least one album.
    case isInAlbum
    /// Assets whose current version has an edit made by the extension with this identifier.
    case editedBy(String)
    /// Assets with a location.
    case hasLocation
    /// Assets within a distance of a location, on a sphere of Earth's size.
    case near(Location, metres: Double)
    /// Assets with a location in an area.
    case inside(GeographicArea)

    /// The dates of an asset that a predicate can compare.
    public enum DateKey: String, Hashable, Sendable, CaseIterable {
        /// The date of capture. Without a time zone offset, the camera's clock is read as UTC.
        case creation
        /// The reading of the camera's clock at capture, taken as UTC. It finds the assets of a
        /// calendar day regardless of time zone. A date without a time counts as noon.
        case clock
        /// The modification date of the imported file.
        case file
        /// The date at which the asset was added to the library.
        case added
        /// The date of the last change of the asset's content or metadata.
        case modification
        /// The date at which the asset was moved to the trash. Requires
        /// ``FetchOptions/includeTrashedAssets``.
        case trashed
    }

    /// The dimensions of an asset, in pixels.
    public enum SizeKey: String, Hashable, Sendable, CaseIterable {
        /// The width of the current version.
        case pixelWidth
        /// The height of the current version.
        case pixelHeight
        /// The width of the original after applying its orientation.
        case originalPixelWidth
        /// The height of the original after applying its orientation.
        case originalPixelHeight
    }

    /// The text properties of an asset that a predicate can compare.
    public enum TextKey: String, Hashable, Sendable, CaseIterable {
        /// The local identifier, a lower-case UUID.
        case localIdentifier
        /// The name of the imported file.
        case originalFilename
        /// The format identifier of the last edit's recipe.
        case adjustmentFormatIdentifier
        /// The identifier that the photos of one burst share.
        case burstIdentifier
        /// The manufacturer of the camera.
        case cameraMake
        /// The model of the camera.
        case cameraModel
        /// The model of the lens.
        case lensModel
        /// The identifier that the photo and the video of a Live Photo share.
        case contentIdentifier
        /// The title in the metadata.
        case title
        /// The description (caption) in the metadata.
        case description
        /// The creators, separated by semicolons.
        case creator
        /// The copyright notice.
        case copyright
        /// The label: the name of a colour, or another word.
        case label
    }

    /// A comparison of a number or a date.
    public enum ValueTest<Value: Hashable & Sendable>: Hashable, Sendable {
        /// Equal to the value.
        case equal(Value)
        /// Less or earlier than the value.
        case lessThan(Value)
        /// Less or earlier than the value, or equal to it.
        case atMost(Value)
        /// Greater or later than the value.
        case greaterThan(Value)
        /// Greater or later than the value, or equal to it.
        case atLeast(Value)
        /// Within a closed range. False if the first bound is greater than the second.
        case between(Value, Value)
        /// Equal to any of the values.
        case oneOf([Value])
        /// The asset has no value.
        case missing
    }

    /// A comparison of an option set.
    public enum MaskTest<Mask: OptionSet & Hashable & Sendable>: Hashable, Sendable {
        /// Contains all of these options, and possibly others.
        case allOf(Mask)
        /// Contains at least one of these options. False for the empty set.
        case anyOf(Mask)
        /// Contains none of these options.
        case noneOf(Mask)
        /// Contains exactly these options.
        case exactly(Mask)
    }

    /// A comparison of a text.
    public enum TextTest: Hashable, Sendable {
        /// Equal to the text, case-sensitively.
        case equal(String)
        /// Equal to any of the strings, case-sensitively.
        case oneOf([String])
        /// Begins with the text, case-insensitively.
        case beginsWith(String)
        /// Contains the text, case-insensitively.
        case contains(String)
        /// The asset has no text.
        case missing
    }
}
