// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Glibc
import RunnerProtocol
import RunnerSupport
import Vips

/// How large the images of a state are.
enum StateScale: Sendable {
    /// As large as the photograph.
    case full
    /// For a display image: steps run over a reduced base.
    case display
}

/// The sizes that an extension is told.
struct StateScales: Sendable {
    /// Of the image that is called the full-size one.
    let fullSize: PixelSize
    /// That image relative to the photograph.
    let fullScale: Double
    /// The display image relative to the photograph.
    let displayScale: Double
}

/// The images of one state as one controller sees them, in the layout that its extension wants.
final class StateImages: Sendable {
    private let chain: StepChain
    private let count: Int
    private let scale: StateScale
    private let accepted: [PixelFormat]
    /// What the full-size image is made of; nil until the extension may have it.
    private let full: Monitor<FullSize?>
    private let later = Monitor([PixelSources]())
    /// An image that has been described already and that nobody has yet.
    private let first: Monitor<Image?>
    /// The image in memory, for all threads but the session's.
    private let shared = Once<Image>()

    /// - Parameters:
    ///   - chain: The base and the steps.
    ///   - count: How many of the steps make the state.
    ///   - scale: How large the full-size image is.
    ///   - accepted: The layouts that the extension takes.
    ///   - first: The state's sequential image, where it is there already.
    ///   - isForFinish: The full size is for `finish` alone, see ``openFullSize(_:)``.
    init(
        _ chain: StepChain, after count: Int, at scale: StateScale, accepted: [PixelFormat],
        first: Image? = nil, isForFinish: Bool = false
    ) {
        self.chain = chain
        self.count = count
        self.scale = scale
        self.accepted = accepted
        self.first = Monitor(first)
        full = Monitor(isForFinish ? nil : FullSize(chain: chain, count: count))
    }

    private struct FullSize: Sendable {
        let chain: StepChain
        let count: Int
    }

    /// `finish` begins: the extension may have the full-size image from now on.
    ///
    /// - Parameter chain: What it is made of.
    func openFullSize(_ chain: StepChain) {
        full.access { $0 = FullSize(chain: chain, count: chain.count) }
    }

    /// The extension may read something beside the state as it was given at the start.
    func readsToo(_ sources: PixelSources) { later.access { $0.append(sources) } }

    /// What the extension may read beside the state as it was given at the start.
    var laterSources: [PixelSources] { later.access { $0 } }

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

    /// The state at display size.
    func display() throws(RunnerFailure) -> Image {
        try handedOver(try chain.displayImage(after: count))
    }

    /// Runs the steps below, on the session's thread, so that the full size can be asked for on any
    /// other. No pixel is computed, but those that a step wants in any order.
    func prepareFullSize() throws(RunnerFailure) {
        guard case .full = scale else { return }
        let full = try fullSizeChain()
        guard full.count > 0 else { return }
        let image = try full.chain.image(after: full.count)
        first.access { $0 = $0 ?? image }
    }

    /// The state at full size. Every call gives an image that can be read once.
    ///
    /// The session's thread gets a pipeline, a new one each time. Other threads cannot have the
    /// steps run: they share a copy in memory of the pipeline that was made before.
    func fullSize(_ access: PixelAccess) throws(RunnerFailure) -> Image {
        if case .display = scale { return try display() }
        let full = try fullSizeChain()
        if full.count == 0 { return try handedOver(try full.chain.image(after: 0, access: access)) }
        if full.chain.isOnSessionThread {
            let image = try pipeline(full)
            return try handedOver(access == .random ? try inMemory(image, full) : image)
        }
        return try handedOver(
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

    /// An image in the layout that the extension wants.
    func handedOver(_ image: Image) throws(RunnerFailure) -> Image {
        let own = PixelFormat(of: image)
        let wanted = own.nearest(of: accepted)
        guard wanted != own else { return image }
        return try wrapping("convert the pixels", code: .badInput) {
            try image.converted(to: wanted)
        }
    }
}
