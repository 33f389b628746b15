// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

/// What is exported, and how.
public struct ExportOptions: Sendable {
    /// The versions of an asset, as PhotoKit's `PHImageRequestOptionsVersion`.
    public enum Version: String, Sendable, CaseIterable {
        /// With all edits.
        case current
        /// Without any edit: the imported bytes, or what they are converted to, which is upright.
        case unadjusted
        /// As it was imported, byte for byte.
        case original
    }

    /// The version.
    public var version = Version.current
    /// The format to convert to; nil: as it is stored.
    public var format: MediaFormat?
    /// The quality of formats with loss, 1...100; nil: 92.
    public var quality: Int?
    /// The box to fit the picture into, never enlarging it; nil: as large as it is.
    public var size: PixelSize?

    /// What of a picture's detail is brought back after it was made smaller.
    public enum Sharpening: String, Sendable, CaseIterable {
        case low, standard, high
    }

    /// How much a picture is sharpened that ``size`` has made smaller; nil: not at all. Others never are.
    public var sharpening: Sharpening?
    /// How the files are named; nil: as they were imported, with a number where a name is taken.
    public var name: ExportNameTemplate?

    /// The colour space that the pixels are converted to; `original`: they keep theirs. GIF, which has no
    /// profile, is always sRGB.
    public var profile = ColorProfile.original

    /// What files say of a photograph.
    public enum Metadata: String, Sendable, CaseIterable {
        /// What its own file says, with what the library says of it: date, position, rating,
        /// keywords, title, description, label.
        case library
        /// What its own file says, but for what an edit made false.
        case original
        /// Who made it and whose it is, the colour profile, and nothing else.
        case copyright
        /// The colour profile only.
        case none
    }

    /// What the file says; nil: of a picture that was edited or is converted what the library says, while
    /// the bytes of an original leave as they came.
    public var metadata: Metadata?
    /// Whether the file may say where the photograph was taken: in EXIF, XMP and IPTC.
    public var includesLocation = true
    /// What goes out of Live Photos.
    public enum LivePhotoPart: String, Sendable, CaseIterable {
        /// The still and, beside it under the same name, its video, which say by one content identifier that they belong
        /// together, as Apple's cameras have it: where they do not, the still is given an identifier and the video becomes
        /// a MOV that has it, too.
        case pair
        /// A Motion Photo: a JPEG with the video in the same file, as Android's cameras and galleries have it.
        case motion
        /// The still alone.
        case still
        /// The video alone.
        case video
    }

    /// What goes out of Live Photos; nil: a pair, or the file of a Motion Photo that has no edits as it is, and nothing is said
    /// in files that leave as they came. Where an edit took the motion away the still alone; so it does
    /// with ``Metadata/copyright`` and ``Metadata/none``. Without its place a video is a copy.
    public var livePhotoPart: LivePhotoPart?
    /// Whether the files that came with an original go out beside it: `original` only.
    public var includesCompanions = false

    /// Which of the files that an earlier export wrote into the folder are written again.
    public enum Overwriting: String, Sendable, CaseIterable {
        /// None; those that are missing are written.
        case never
        /// Those that would be others now.
        case changed
        /// All.
        case always
    }

    /// Whether the folder has a record of what was written. Without one all is written, beside what is there.
    public var keepsRecord = true
    /// Which of the files that an earlier export wrote are written again. What no export wrote, or what is not as it
    /// was written any more, is never touched.
    public var overwriting = Overwriting.changed
    /// Whether files are removed that an earlier export wrote into the folder and that this one would not: of
    /// other assets of the library, other versions of these, or under other names.
    public var prunes = false

    /// How videos are encoded; nil: they are copied as they are stored.
    public var video: VideoExport?

    /// Whether format, quality, size, sharpening and profile, which are for photographs, leave videos as they are; else they
    /// are refused for them.
    public var leavesVideos = false

    /// The stored bytes of the current version.
    public init() {}

    /// Whether other pixels are wanted than the stored ones.
    var isConverted: Bool {
        format != nil || quality != nil || size != nil || profile != .original
    }

    /// Checks that what is wanted goes together.
    ///
    /// - Throws: `HostError` with `badRequest`.
    public func validate() throws {
        guard quality.map((1...100).contains) ?? true else {
            throw HostError(.badRequest, "the quality must be from 1 to 100")
        }
        guard sharpening == nil || size != nil else {
            throw HostError(
                .badRequest, "sharpening applies to reduced pictures only; add a size")
        }
        _ = try video?.settings
        guard version == .original else { return }
        let saysMetadata = metadata.map { $0 != .original } ?? false
        guard !isConverted, includesLocation, !saysMetadata, video == nil else {
            throw HostError(
                .badRequest,
                "originals are exported byte for byte; leave out format, quality, size, "
                    + "profile, metadata, location and the settings of videos, or export the "
                    + "version unadjusted")
        }
    }

    var omittedMetadata: EncodeSettings.OmittedMetadata? {
        switch metadata {
        case .none?: .all
        case .copyright: .allButCopyright
        case nil, .library, .original: includesLocation ? nil : .location
        }
    }
}
