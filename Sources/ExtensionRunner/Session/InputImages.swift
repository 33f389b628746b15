// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc
import RunnerProtocol
import RunnerSupport
import Vips

/// The images of one state for one controller, in a pixel layout that its extension accepts.
final class InputImages: Sendable {
    private let chain: EditPipeline
    private let count: Int
    private let scale: InputScale
    private let accepted: [PixelFormat]
    /// The pipeline of the full-size image; `nil` until the extension may read it.
    private let full: LockedValue<FullSize?>
    private let additional: LockedValue<[PixelSources]>
    /// Records reads of sequential images in another order, by the extension.
    private let order: FailureWatch
    /// An image that has already been opened and not been read yet, used for the first request.
    private let first: LockedValue<Image?>
    /// The image in memory, shared by all threads except the session's.
    private let shared = LazyValue<Image>()
    /// The reduced image that was requested last, and its longer side.
    private let reduced = LockedValue<(side: Int, image: Image)?>(nil)

    /// - Parameters:
    ///   - chain: The base and the steps.
    ///   - count: The number of steps below the state.
    ///   - scale: The scale of the full-size image.
    ///   - accepted: The pixel layouts that the extension accepts.
    ///   - reader: The extension, and what records that it reads sequential images in another order.
    ///   - first: The sequential image of the state, if it has already been opened.
    ///   - isFullSizeDeferred: Whether the full size is available only in `finish`, see ``openFullSize(_:)``.
    init(
        _ chain: EditPipeline, after count: Int, at scale: InputScale, accepted: [PixelFormat],
        readBy reader: PixelSources.Step, first: Image? = nil, isFullSizeDeferred: Bool = false
    ) {
        self.chain = chain
        self.count = count
        self.scale = scale
        self.accepted = accepted
        self.first = LockedValue(first)
        order = reader.failures
        additional = LockedValue([chain.sources(of: reader)])
        full = LockedValue(isFullSizeDeferred ? nil : FullSize(chain: chain, count: count))
    }

    private struct FullSize: Sendable {
        let chain: EditPipeline
        let count: Int
    }

    /// Makes the full-size image available at the start of `finish`.
    ///
    /// - Parameter chain: The pipeline that computes it.
    func openFullSize(_ chain: EditPipeline) {
        full.access { $0 = FullSize(chain: chain, count: chain.count) }
    }

    /// Adds sources that the extension may read in addition to the state given at the start. The reader stays last,
    /// because its order watch also records failures of the sources below.
    func addSources(_ sources: PixelSources) { additional.access { $0.insert(sources, at: 0) } }

    /// The sources that the extension may read in addition to the state given at the start. The last one is the
    /// extension itself.
    var additionalSources: [PixelSources] { additional.access { $0 } }

    private func fullSizeChain() throws(RunnerFailure) -> FullSize {
        guard let full = full.access({ $0 }) else {
            throw RunnerFailure(
                code: .badRequest,
                message: "the full-size image is available only in finish; use the display "
                    + "image for previews"
            )
        }
        return full
    }

    /// Returns the state at display size.
    func display() throws(RunnerFailure) -> Image {
        try acceptable(try chain.displayImage(after: count))
    }

    /// Returns the state with its longer side at most `longerSide` pixels and at most display size, in memory. It is
    /// always computed from the base of the session, even after ``openFullSize(_:)``, so that all calls return equal
    /// pixels.
    func reduced(longerSide: Int) throws(RunnerFailure) -> Image {
        if let known = reduced.access({ $0 }), known.side == longerSide { return known.image }
        let image = try acceptable(try chain.reducedImage(after: count, longerSide: longerSide))
        reduced.access { $0 = (longerSide, image) }
        return image
    }

    /// Runs the steps below on the session's thread, so that any thread can request the full size afterwards. No
    /// pixels are computed, except those that a step reads in random order.
    func prepareFullSize() throws(RunnerFailure) {
        guard case .full = scale else { return }
        let full = try fullSizeChain()
        guard full.count > 0 else { return }
        let image = try full.chain.image(after: full.count)
        first.access { $0 = $0 ?? image }
    }

    /// Returns the state at full size for the extension. Every call returns an image that can be read once.
    func fullSize(_ access: PixelAccess) throws(RunnerFailure) -> Image {
        let image = try lazyFullSize(access)
        guard case .full = scale, access == .sequential else { return image }
        return try sequential(image)
    }

    /// Limits an image to sequential access. Otherwise, whether an extension that reads in another order works would
    /// depend on the source, and therefore on trust in the extension. Frames may be read in any order.
    func sequential(_ image: Image) throws(RunnerFailure) -> Image {
        guard !chain.isFrame else { return image }
        return try wrapping("open the picture", code: .badInput) {
            try order.watching(try image.readingSequentially())
        }
    }

    /// On the session's thread, every call returns a new pipeline. Other threads cannot run steps. They share an
    /// in-memory copy of the pipeline that was created before.
    private func lazyFullSize(_ access: PixelAccess) throws(RunnerFailure) -> Image {
        if case .display = scale { return try display() }
        let full = try fullSizeChain()
        if full.count == 0 { return try acceptable(try full.chain.image(after: 0, access: access)) }
        if full.chain.isOnSessionThread {
            let image = try pipeline(full)
            return try acceptable(access == .random ? try inMemory(image, full) : image)
        }
        return try acceptable(
            try shared.value { () throws(RunnerFailure) in
                try inMemory(try pipeline(full), full)
            })
    }

    private func pipeline(_ full: FullSize) throws(RunnerFailure) -> Image {
        let known = first.access { first in
            defer { first = nil }
            return first
        }
        return if let known { known } else { try full.chain.image(after: full.count) }
    }

    private func inMemory(_ image: Image, _ full: FullSize) throws(RunnerFailure) -> Image {
        try full.chain.sources(after: full.count).computing(
            "compute the input of the step", code: .extensionFailed
        ) {
            try image.copiedToMemory()
        }
    }

    /// Writes the full-size image as an uncompressed TIFF.
    ///
    /// - Throws: `outputFailed` if the file cannot be written, otherwise the failure of the source.
    func writeLossless(to path: String) throws(RunnerFailure) {
        let image = try fullSize(.sequential)
        guard let file = RunnerFolder.create(path) else {
            throw RunnerFailure(
                code: .outputFailed,
                message: "\(path) cannot be created: \(String(cString: strerror(errno)))")
        }
        let full = try fullSizeChain()
        try full.chain.sources(after: full.count).computing(
            "write the full-size image", code: .outputFailed
        ) {
            let plain = try MetadataCopier.stripped(image)
            let isLarge = plain.byteCount > 2 << 30
            try plain.write(
                to: try ImageTarget(fileDescriptor: file.descriptor), saver: "tiffsave_target",
                options: ["compression": "none", "bigtiff": .bool(isLarge)])
        }
    }

    /// Converts an image to the pixel layout that the extension accepts.
    func acceptable(_ image: Image) throws(RunnerFailure) -> Image {
        let own = PixelFormat(of: image)
        let nearest = own.nearest(of: accepted)
        guard nearest != own else { return image }
        return try wrapping("convert the pixels", code: .badInput) {
            try image.converted(to: nearest)
        }
    }
}
