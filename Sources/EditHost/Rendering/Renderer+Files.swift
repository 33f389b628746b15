// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import FileAccess
import Library
import RunnerProtocol

extension Renderer {
    /// What a job starts from.
    struct Base: Sendable {
        let bytes: OpenFile
        let kind: RenderInput.Base
        /// The original's RGB profile, for pixels that are in that.
        var profile: OpenFile?
        /// The profile of an encoded picture that has none; nil: sRGB.
        var assumedProfile: ColorProfile?
        /// Where the pixels are, in memory that is used again.
        var buffer: PixelBuffers.Buffer?
        /// How the pixels were reduced; nil: they are of full size.
        var reduction: Reduction?
        /// Which frame of a video it is; nil: it is a photograph, or a whole video.
        var moment: FrameMoment?

        init(bytes: OpenFile, kind: RenderInput.Base) {
            self.bytes = bytes
            self.kind = kind
        }

        /// The pixels that a job gave; its runner may have been given the profile and have none of its
        /// own to give.
        init(pixels: RawOutput.Picture, over base: Base) {
            bytes = pixels.buffer.memory
            kind = .raw(pixels.layout)
            profile = pixels.profile ?? base.profile
            buffer = pixels.buffer.isReused ? pixels.buffer : nil
            reduction = base.reduction
            moment = pixels.moment ?? base.moment
        }

        /// The bytes for an extension, which must not write where others may read. Whoever encodes
        /// gets them as they are, and reads each pixel once.
        func lent() throws -> (DescriptorRole, OpenFile) {
            guard let buffer else { return (.base, bytes) }
            return (buffer.isChangeable ? .changingBase : .reusedBase, try bytes.readOnly())
        }

        var isEncoded: Bool {
            if case .encoded = kind { true } else { false }
        }
    }

    /// Opens the original or a file of the library for a job.
    ///
    /// - Throws: `LibraryError`, where an original that lies elsewhere is away or has changed.
    func open(
        _ hash: SHA256Digest, _ kind: RenderInput.Base, of plan: StatePlan
    ) throws -> Base {
        if let stagedOriginal, stagedOriginal.hash == hash {
            return Base(bytes: try stagedOriginal.open(), kind: kind)
        }
        let file =
            hash == plan.original
            ? try library.openOriginal(plan.originalResource, for: purpose)
            : try library.openBlob(hash, ofAsset: plan.assetIdentifier, for: purpose)
        return Base(bytes: file, kind: kind)
    }

    /// What the encoder takes the metadata from: the original; where that is away, and nothing is
    /// drawn from it, what was stored of an edit, which has the same.
    func metadataSource(of plan: StatePlan, _ base: Base) throws -> OpenFile {
        do {
            return try open(plan.original, base.kind, of: plan).bytes
        } catch let error as LibraryError
            where error.isAboutReference && plan.base != plan.original
        {
            return try open(plan.base, base.kind, of: plan).bytes
        }
    }

    /// Lends the original to extensions that may read it: an untrusted one gets a copy.
    ///
    /// - Returns: what goes along with a request, where there is something.
    func lendOriginal(
        to binaries: [ExtensionBinary], of plan: StatePlan, in input: inout RenderInput
    ) throws -> [(DescriptorRole, OpenFile)] {
        guard binaries.contains(where: \.mayReadOriginals) else { return [] }
        let file: OpenFile
        do {
            file = try open(plan.original, .encoded(plan.baseFormat), of: plan).bytes
        } catch let error as LibraryError where error.isAboutReference {
            return []
        }
        input.originalFilename = plan.originalResource.originalFilename
        guard !binaries.allSatisfy(\.isTrusted) else { return [(.original, file)] }
        return [(.original, try file.sealedCopy(try file.byteCount()))]
    }

    /// Refuses what was drawn from a file outside the library that was written to meanwhile.
    func requireUnchangedOriginal(of plan: StatePlan) throws {
        guard plan.base == plan.original, plan.originalResource.blob == nil else { return }
        _ = try library.openOriginal(plan.originalResource, for: .drawing)
    }
}

extension LibraryError {
    /// Whether an original that lies outside the library is not to be had.
    var isAboutReference: Bool { code == .originalMissing || code == .referencedFileChanged }
}
