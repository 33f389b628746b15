// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import Glibc
import RunnerProtocol
import Vips

/// Pulls the pixels of a finished pipeline into a file, raw memory, or nowhere.
struct PixelPull: Sendable {
    /// What is pulled, and what a report about it says.
    let image: Image
    /// What it is computed from, and whose code runs meanwhile.
    let sources: PixelSources
    /// The original, whose metadata encoded pictures carry.
    let original: MetadataSource?
    /// The original's RGB profile.
    let originalProfile: [UInt8]?

    /// Whether an edit may have moved pixels of the original.
    var movesPixels = false

    /// What the runner shares.
    var runtime: Runtime { sources.runtime }

    /// The same for another image.
    func replacing(_ image: Image) -> PixelPull {
        PixelPull(
            image: image, sources: sources, original: original, originalProfile: originalProfile,
            movesPixels: movesPixels)
    }

    /// The same for pictures that do not say what the original says.
    var withoutMetadata: PixelPull {
        PixelPull(
            image: image, sources: sources, original: nil, originalProfile: originalProfile)
    }

    /// The same, with the pixels in memory, to be pulled more than once.
    func inMemory() throws(RunnerFailure) -> PixelPull {
        var copy: Image?
        try pull { copy = try $0.copiedToMemory() }
        return copy.map(replacing) ?? self
    }

    /// Reads every pixel and keeps none.
    func discard() throws(RunnerFailure) {
        try pull { image in
            let average = try ImageOperation("avg")
            try average.set("in", to: .image(image))
            try average.run()
        }
    }

    /// Writes an encoded picture. Gives its size in pixels and in bytes, and what of the original's metadata is
    /// not in it.
    ///
    /// - Parameter fullSize: the picture's size before it was reduced for these settings; nil: it was not.
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
            settings: settings, original: original, unmovedSize: movesPixels ? nil : size,
            folder: runtime.folder)
        let prepared = try encoder.prepare(image, fullSize: size)
        try pull(prepared, encodedAs: settings.format) { try encoder.write($0, to: file) }
        guard let length = file.length, length > 0 else {
            throw RunnerFailure(code: .outputFailed, message: "the encoder wrote no bytes")
        }
        return (prepared.size, length, encoder.omissions(of: prepared))
    }

    /// Writes the pixels as they lie in memory.
    func writeRaw(to file: OpenFile) throws(RunnerFailure) {
        lseek(file.descriptor, 0, SEEK_SET)
        try pull { try $0.writePixels(toFileDescriptor: file.descriptor) }
    }

    /// The same into memory that has room for them.
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

    /// The same, telling another runner how many rows are there.
    ///
    /// - Parameter isBesideOthers: the runner does something else at the same time, which is what it says that it
    ///   is doing.
    func writeRaw(
        into memory: UnsafeMutableRawBufferPointer, announcingTo socket: OpenFile,
        isBesideOthers: Bool
    ) throws(RunnerFailure) {
        try requireRoom(memory)
        var announcer = RowAnnouncer(socket, height: image.height)
        let body = { (image: Image) in
            // An extension makes all of its output, whoever has stopped reading.
            try image.writePixels(into: memory, isThreaded: !isBesideOthers) {
                announcer.announce($0) || !isBesideOthers
            }
        }
        guard isBesideOthers else { return try pull(nil, body) }
        do {
            try body(image)
        } catch {
            throw blame(error)
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
                try runtime.activity.pulling(image ?? self.image, body)
            }
        } catch let failure as RunnerFailure {
            throw failure
        } catch {
            throw blame(error, encodedAs: format)
        }
        try sources.check()
    }

    // MARK: - Failures

    /// Finds out what failed: the base, an extension, or the output.
    private func blame(_ error: any Error, encodedAs format: MediaFormat? = nil) -> RunnerFailure {
        if let failure = sources.failure { return failure }
        let reason = brief("\(error)")
        if let error = error as? VipsError, error.code == .inputOutput || isWriteError(reason) {
            return RunnerFailure(
                code: .outputFailed, message: "the output cannot be written: \(reason)")
        }
        // Savers name themselves, and all that they read was computed.
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

    /// What savers say besides is no sign: PNG's calls every failure one to write.
    private func isWriteError(_ reason: String) -> Bool {
        reason.contains("write error") || reason.contains("No space left")
    }
}
