// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import Vips

/// Pulls the pixels of a finished pipeline into a file or raw memory, or discards them.
struct RenderSink: Sendable {
    /// The image to pull, which also determines the size in reports.
    let image: Image
    /// The sources of the pixels and the extensions whose code runs during the pull.
    let sources: PixelSources
    /// The original whose metadata encoded pictures carry; `nil` for none.
    let original: MetadataSource?
    /// The RGB profile of the original.
    let originalProfile: [UInt8]?

    /// Whether an edit may have moved pixels of the original.
    var movesPixels = false

    /// The shared state of the runner.
    var runtime: Runtime { sources.runtime }

    /// Returns a copy of this sink for another image.
    func replacing(_ image: Image) -> RenderSink {
        RenderSink(
            image: image, sources: sources, original: original, originalProfile: originalProfile,
            movesPixels: movesPixels)
    }

    /// A copy of this sink that writes none of the original's metadata.
    var withoutMetadata: RenderSink {
        RenderSink(
            image: image, sources: sources, original: nil, originalProfile: originalProfile)
    }

    /// Returns a copy of this sink with the pixels in memory, which can be pulled more than once.
    func inMemory() throws(RunnerFailure) -> RenderSink {
        var copy: Image?
        try pull { copy = try $0.copiedToMemory() }
        return copy.map(replacing) ?? self
    }

    /// Computes every pixel and discards it.
    func discard() throws(RunnerFailure) {
        try pull { image in
            let average = try ImageOperation("avg")
            try average.set("in", to: .image(image))
            try average.run()
        }
    }

    /// Writes an encoded picture. Returns its size in pixels, its size in bytes, and the omitted metadata of the
    /// original.
    ///
    /// - Parameter fullSize: The size of the picture before it was reduced for these settings; `nil` if it was not
    ///   reduced.
    func encode(
        _ settings: EncodeSettings, to file: OpenFile, fullSize: PixelSize? = nil
    ) throws(RunnerFailure) -> (size: PixelSize, byteCount: Int, omissions: [String]) {
        guard settings.metadataChanges?.isOfLivePhoto != true else {
            throw RunnerFailure(
                code: .badRequest,
                message: "the metadata of a Live Photo can be written only into an encoded file")
        }
        let size = fullSize ?? image.size
        let encoder = Encoder(
            settings: settings, original: original, unreducedSize: movesPixels ? nil : size,
            folder: runtime.folder)
        let prepared = try encoder.prepare(image, fullSize: size)
        try pull(prepared, encodedAs: settings.format) { try encoder.write($0, to: file) }
        guard let length = file.length, length > 0 else {
            throw RunnerFailure(code: .outputFailed, message: "the encoder wrote no bytes")
        }
        return (prepared.size, length, encoder.omissions(of: prepared))
    }

    /// Writes the raw pixels to a file, in their memory layout.
    func writeRaw(to file: OpenFile) throws(RunnerFailure) {
        lseek(file.descriptor, 0, SEEK_SET)
        try pull { try $0.writePixels(toFileDescriptor: file.descriptor) }
    }

    /// Writes the raw pixels into memory.
    ///
    /// - Throws: `badRequest` if the memory is too small.
    func writeRaw(into memory: UnsafeMutableRawBufferPointer) throws(RunnerFailure) {
        try requireRoom(memory)
        try pull { try $0.writePixels(into: memory, isThreaded: true) { _ in true } }
    }

    private func requireRoom(_ memory: UnsafeMutableRawBufferPointer) throws(RunnerFailure) {
        guard memory.count >= image.byteCount else {
            throw RunnerFailure(
                code: .badRequest,
                message: "\(memory.count) bytes have no room for \(image.byteCount)")
        }
    }

    /// Writes the raw pixels into memory and announces the number of finished rows to another runner.
    ///
    /// - Parameter isConcurrent: Whether the runner does other work concurrently. The reported phase stays that of
    ///   the other work.
    func writeRaw(
        into memory: UnsafeMutableRawBufferPointer, announcingTo socket: OpenFile,
        isConcurrent: Bool
    ) throws(RunnerFailure) {
        try requireRoom(memory)
        var reporter = RowProgressReporter(socket, height: image.height)
        let body = { (image: Image) in
            // An extension must compute all of its output, even if the reader has stopped.
            try image.writePixels(into: memory, isThreaded: !isConcurrent) {
                reporter.announce($0) || !isConcurrent
            }
        }
        guard isConcurrent else { return try pull(nil, body) }
        do {
            try body(image)
        } catch {
            throw failure(for: error)
        }
        try sources.check()
    }

    private func pull(
        _ image: Image? = nil, encodedAs format: MediaFormat? = nil,
        _ body: (Image) throws -> Void
    ) throws(RunnerFailure) {
        let phase =
            sources.extensionIdentifiers.isEmpty
            ? RunnerPhase.decoding
            : .pixels(extensionIdentifiers: sources.extensionIdentifiers)
        do {
            try runtime.phases.during(phase) {
                try runtime.work.pulling(image ?? self.image, body)
            }
        } catch let failure as RunnerFailure {
            throw failure
        } catch {
            throw failure(for: error, encodedAs: format)
        }
        try sources.check()
    }

    // MARK: - Failures

    /// Attributes a failure to the base, an extension, or the output.
    private func failure(for error: any Error, encodedAs format: MediaFormat? = nil)
        -> RunnerFailure
    {
        if let failure = sources.failure { return failure }
        let reason = abbreviated("\(error)")
        if let error = error as? VipsError, error.code == .inputOutput || isWriteError(reason) {
            return RunnerFailure(
                code: .outputFailed, message: "the output cannot be written: \(reason)")
        }
        // A saver's name in the message means that the saver has failed. Its complete input has then been computed.
        if let format, reason.contains("save_target: ") {
            return RunnerFailure(
                code: .outputFailed,
                message: "the picture cannot be encoded as \(format.displayName): \(reason)")
        }
        let identifiers = sources.extensionIdentifiers
        guard !identifiers.isEmpty else {
            return RunnerFailure(
                code: .badInput, message: "the picture cannot be decoded completely: \(reason)")
        }
        return RunnerFailure(
            code: .extensionFailed, message: "its pixels cannot be computed: \(reason)",
            extensionIdentifier: identifiers.count == 1 ? identifiers[0] : nil)
    }

    /// Whether a message reports a write error. Other messages of savers prove nothing: the PNG saver reports every
    /// failure as a write error.
    private func isWriteError(_ reason: String) -> Bool {
        reason.contains("write error") || reason.contains("No space left")
    }
}
