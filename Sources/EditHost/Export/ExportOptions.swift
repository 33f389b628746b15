// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// The options of an export: which version to write, how to encode it, and which files to replace.
public struct ExportOptions: Sendable {
    /// The version of an asset to export, like PhotoKit's `PHImageRequestOptionsVersion`.
    public enum Version: String, Sendable, CaseIterable {
        /// The current version, with all edits.
        case current
        /// The original without edits: the imported bytes, or an upright picture converted from them.
        case unadjusted
        /// The original, byte for byte.
        case original
    }

    /// The version to export.
    public var version = Version.current
    /// The name of the saved version to export instead of the current edits; nil for the current edits. Assets without
    /// this version are an error.
    public var savedVersion: String?
    /// The format to convert to; nil means the stored format.
    public var format: MediaFormat?
    /// The default of ``quality``.
    public static let defaultQuality = EncodeSettings.defaultQuality
    /// The quality for lossy formats, 1...100; nil for ``defaultQuality``.
    public var quality: Int?
    /// The box to fit the picture into, in pixels, never enlarging it; nil means the full size.
    public var size: PixelSize?

    /// The strength of the sharpening applied after a picture is reduced.
    public enum Sharpening: String, Sendable, CaseIterable {
        case low, standard, high
    }

    /// The sharpening of pictures that ``size`` reduces; nil means none. Other pictures are never sharpened.
    public var sharpening: Sharpening?
    /// The template of the filenames; nil means the imported filenames, numbered if a name is taken.
    public var name: ExportNameTemplate?

    /// The colour space to convert the pixels to; `original`: no conversion. GIF has no profiles and is always
    /// sRGB.
    public var profile = ColorProfile.original

    /// The metadata written to exported files.
    public enum Metadata: String, Sendable, CaseIterable {
        /// The metadata of the asset's own file, updated with the library's date, location, rating, keywords,
        /// title, description and label.
        case library
        /// The metadata of the asset's own file, except for values that an edit invalidated.
        case original
        /// The creator, the copyright and the colour profile.
        case copyright
        /// The colour profile only.
        case none
    }

    /// The metadata to write; nil means ``Metadata/library`` for edited or converted pictures, while the bytes of
    /// originals are left unchanged.
    public var metadata: Metadata?
    /// True if files may contain the location in EXIF, XMP and IPTC.
    public var includesLocation = true
    /// True if files may contain the names and regions of persons in XMP.
    public var includesPeople = true
    /// The parts of a Live Photo to export.
    public enum LivePhotoPart: String, Sendable, CaseIterable {
        /// The still and, under the same name, its video, paired by a content identifier as Apple's cameras do.
        ///
        /// If they have no common identifier, the still is given one, and the video becomes a MOV with the same
        /// identifier.
        case pair
        /// A Motion Photo: a JPEG with the video in the same file, as Android's cameras and galleries write it.
        case motion
        /// The still only.
        case still
        /// The video only.
        case video
    }

    /// The parts of Live Photos to export; nil means a pair, or the unchanged file of a Motion Photo without edits.
    ///
    /// With nil, files exported unchanged get no content identifier. Only the still is exported if an edit
    /// removed the motion, or with ``Metadata/copyright`` and ``Metadata/none``. Without location, the video is
    /// a remuxed copy.
    public var livePhotoPart: LivePhotoPart?
    /// If true, the files imported with an original are exported beside it. Applies to `original` only.
    public var includesCompanions = false

    /// The kinds of metadata files written beside exported files.
    public enum Sidecar: String, Sendable, CaseIterable {
        /// An XMP file such as `a.jpg.xmp`, which darktable and digiKam read.
        case xmp
    }

    /// The metadata files written beside exported files; nil means none. They replace the sidecars among the
    /// companions, and never contain metadata that the options withhold from the files.
    public var sidecar: Sidecar?

    /// The policy for files that an earlier export wrote into the folder.
    public enum Overwriting: String, Sendable, CaseIterable {
        /// Writes missing files only.
        case never
        /// Writes missing files and those that would differ now.
        case changed
        /// Writes all files.
        case always
    }

    /// The modification time of exported files.
    public enum ModificationTime: String, Sendable, CaseIterable {
        /// The capture date, by the clock of the camera. Without one, as ``now``.
        case captured
        /// The time of the export.
        case now
    }

    /// The modification time of exported files. Other values do not cause files to be written again.
    public var modificationTime = ModificationTime.captured

    /// The policy for stored pictures that are stale: an extension, its files or the host have changed since.
    public enum StalePictures: String, Sendable, CaseIterable {
        /// Renders them again in the library before they are exported, like a re-render.
        case render
        /// Exports them as they are stored. Converted pictures are made from them.
        case keep
    }

    /// The policy for stored pictures that are stale. Only the current version can be.
    public var stalePictures = StalePictures.render
    /// True if the folder has a record of exported files. Without one, all files are written under new names.
    public var keepsRecord = true
    /// Without a record: true if a file that exists under the name of a new one, with the same bytes, counts as
    /// written. With a record, it always does.
    var keepsIdenticalFiles = false
    /// The policy for files of earlier exports. Files that no export wrote, or that were modified since, are
    /// never replaced.
    public var overwriting = Overwriting.changed
    /// If true, removes files of earlier exports that this one would not write: of other assets of the
    /// library, of other versions, or under other names.
    public var prunes = false

    /// If true, nothing is rendered or written. The results are those of an export, except that errors in rendering are
    /// not found, that stale pictures count as changed, and that a new file counts as written even if an identical file
    /// exists, unless the stored bytes are copied.
    public var isDryRun = false

    /// The settings for encoding videos; if nil, videos are copied as stored.
    public var video: VideoExport?

    /// True if videos ignore format, quality, size, sharpening and profile, which apply to photos only. If
    /// false, these options are an error for videos.
    public var leavesVideos = false

    /// Creates options that export the stored bytes of the current version.
    public init() {}

    /// Whether the options ask for other pixels than the stored ones.
    var isConverted: Bool {
        format != nil || quality != nil || size != nil || profile != .original
    }

    /// Validates the combination of the options.
    ///
    /// - Throws: `HostError` with `badRequest`.
    public func validate() throws {
        guard quality.map((1...100).contains) ?? true else {
            throw HostError(.badRequest, "the quality must be from 1 to 100")
        }
        if quality != nil, let format { try Self.requireQuality(of: format) }
        guard sharpening == nil || size != nil else {
            throw HostError(
                .badRequest, "sharpening applies to reduced pictures only; add a size")
        }
        _ = try video?.settings
        guard savedVersion == nil || version == .current else {
            throw HostError(.badRequest, "a saved version has edits; export the version current")
        }
        guard version == .original else { return }
        let saysMetadata = metadata.map { $0 != .original } ?? false
        guard !isConverted, includesLocation, includesPeople, !saysMetadata, video == nil else {
            throw HostError(
                .badRequest,
                "originals are exported byte for byte; leave out format, quality, size, "
                    + "profile, metadata, location, people and the settings of videos, or export the "
                    + "version unadjusted")
        }
    }

    /// Rejects a format without a quality setting.
    ///
    /// - Throws: `HostError` with `badRequest`.
    static func requireQuality(of format: MediaFormat) throws {
        guard format.hasQuality else {
            throw HostError(
                .badRequest,
                "\(format.displayName) is lossless and has no quality setting; leave it out, or "
                    + "choose another format")
        }
    }

    var omittedMetadata: EncodeSettings.OmittedMetadata? {
        switch metadata {
        case .none?: .all
        case .copyright: .allButCopyright
        case nil, .library, .original:
            includesPeople
                ? includesLocation ? nil : .location
                : includesLocation ? .people : .locationAndPeople
        }
    }
}
