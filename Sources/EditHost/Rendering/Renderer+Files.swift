// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Library
import RunnerHost
import RunnerProtocol

extension Renderer {
    /// The picture that a job starts from.
    struct Base: Sendable {
        let bytes: OpenFile
        let kind: RenderInput.Base
        /// The original's RGB profile, for pixels in that profile.
        var profile: OpenFile?
        /// The profile to assume for an encoded picture that has none; `nil` means sRGB.
        var assumedProfile: ColorProfile?
        /// The recycled buffer that holds the pixels; `nil` for any other memory.
        var buffer: PixelBuffers.Buffer?
        /// The reduction of the pixels; `nil` if they are at full size.
        var reduction: ReducedScale?
        /// The frame of a video that this is; `nil` for a photo or a whole video.
        var moment: FrameIdentity?

        init(bytes: OpenFile, kind: RenderInput.Base) {
            self.bytes = bytes
            self.kind = kind
        }

        /// Wraps the pixels from a job. If the runner was given the profile, it may return none, and the base's
        /// profile is kept.
        init(pixels: UncompressedPixels, over base: Base) {
            bytes = pixels.buffer.memory
            kind = .raw(pixels.layout)
            profile = pixels.profile ?? base.profile
            buffer = pixels.buffer.isReused ? pixels.buffer : nil
            reduction = base.reduction
            moment = pixels.moment ?? base.moment
        }

        /// Returns the bytes for an extension. They are read-only, because an extension must not write to memory that
        /// others read. The encoder gets them unchanged, because it reads each pixel once.
        func lent() throws -> (DescriptorRole, OpenFile) {
            guard let buffer else { return (.base, bytes) }
            return (buffer.isChangeable ? .changingBase : .reusedBase, try bytes.readOnly())
        }

        var isEncoded: Bool {
            if case .encoded = kind { true } else { false }
        }
    }

    /// Opens the original or a file of the source for a job.
    ///
    /// - Throws: `LibraryError`, with `originalMissing` or `referencedFileChanged` for an unavailable original
    ///   outside the library.
    func open(
        _ hash: SHA256Digest, _ kind: RenderInput.Base, of plan: StatePlan
    ) throws -> Base {
        if let stagedOriginal, stagedOriginal.hash == hash {
            return Base(bytes: try stagedOriginal.open(), kind: kind)
        }
        let file =
            hash == plan.original
            ? try source.openOriginal(plan.originalResource, for: purpose)
            : try source.openBlob(hash, ofAsset: plan.assetIdentifier, for: purpose)
        return Base(bytes: file, kind: kind)
    }

    /// Opens the file that the encoder copies metadata from: the original. If that is unavailable and nothing is
    /// rendered from it, a stored rendition with the same metadata is opened.
    func metadataSource(of plan: StatePlan, _ base: Base) throws -> OpenFile {
        do {
            return try open(plan.original, base.kind, of: plan).bytes
        } catch let error as LibraryError
            where error.isAboutReference && plan.base != plan.original
        {
            return try open(plan.base, base.kind, of: plan).bytes
        }
    }

    /// Rejects a plan for which a file is missing, or whose referenced original was modified. No file is read.
    ///
    /// - Throws: `LibraryError`.
    func requireFiles(of plan: StatePlan) throws {
        var renderer = self
        renderer.purpose = .preview
        let base = try renderer.open(plan.base, .encoded(plan.baseFormat), of: plan)
        // The metadata of a video is in its base.
        if plan.originalFacts.video == nil { _ = try renderer.metadataSource(of: plan, base) }
        for file in plan.steps.flatMap(\.files) where file.memory == nil {
            _ = try source.openBlob(file.description.hash, ofAsset: nil, for: .preview)
        }
    }

    /// Opens the original for extensions that may read it. If any of them is untrusted, they get a copy.
    ///
    /// - Returns: The descriptors to send with a request; empty if no extension may read it or it is unavailable.
    func lendOriginal(
        to binaries: [ExtensionBinary], of plan: StatePlan, in input: inout RenderInput
    ) throws -> [(DescriptorRole, OpenFile)] {
        guard binaries.contains(where: \.mayReadOriginals) else { return [] }
        let file: OpenFile
        do {
            file = try open(plan.original, .encoded(plan.baseFormat), of: plan).bytes
        } catch let error as LibraryError where error.isAboutMissingOriginal {
            return []
        }
        input.originalFilename = plan.originalResource.originalFilename
        guard !binaries.allSatisfy(\.isTrusted) else { return [(.original, file)] }
        return [(.original, try file.sealedCopy(try file.byteCount()))]
    }

    /// Rejects a picture if the file outside the library that it was rendered from has been modified during the render.
    func requireUnchangedOriginal(of plan: StatePlan) throws {
        guard plan.base == plan.original, plan.originalResource.blob == nil else { return }
        _ = try source.openOriginal(plan.originalResource, for: .rendering)
    }
}
