// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FileAccess
import RunnerProtocol
import RunnerSupport
import Vips

/// Uncompressed pixels whose output memory has not been provided yet.
struct UncompressedOutput: Sendable {
    /// The layout of the pixels in memory.
    let layout: UncompressedLayout
    /// The steps whose controllers must stay alive until the pixels are written; `nil` if a session owns them.
    let chain: EditPipeline?
    private let sink: RenderSink
    private let report: RenderReport

    init(_ sink: RenderSink, report: RenderReport, chain: EditPipeline?) throws(RunnerFailure) {
        let named = try Self.named(sink)
        self.sink = named.sink
        self.report = report
        self.chain = chain
        let image = named.sink.image
        layout = UncompressedLayout(
            width: image.width, height: image.height, pixelFormat: PixelFormat(of: image),
            profile: named.profile)
    }

    /// Uncompressed pixels carry only the name of a profile. Pixels in an unnamed profile are converted to sRGB.
    private static func named(
        _ sink: RenderSink
    ) throws(RunnerFailure) -> (sink: RenderSink, profile: ColorProfile) {
        let profile = sink.image.blob(ICCProfile.field)
        if let name = try NamedProfile.name(of: profile, original: sink.originalProfile) {
            return (sink, name)
        }
        let image = try wrapping("transform the colours to sRGB", code: .badInput) {
            try WorkingColor.toSRGB(sink.image, ["embedded": true])
        }
        return (sink.replacing(image), .sRGB)
    }

    /// Writes the pixels to a file.
    ///
    /// - Parameter profile: The file for the original's profile, written if the pixels are in it.
    func write(
        to file: OpenFile, profile: OpenFile?
    ) throws(RunnerFailure) -> RenderReport {
        try sink.writeRaw(to: file)
        return try finished(profile)
    }

    /// Writes the pixels into memory of a fixed size.
    func write(
        into mapping: PixelMappings.Mapping, profile: OpenFile?
    ) throws(RunnerFailure) -> RenderReport {
        try sink.writeRaw(into: mapping.memory)
        return try finished(profile)
    }

    /// Writes the pixels into memory and announces the number of finished rows to another runner.
    ///
    /// - Parameter isConcurrent: Whether the runner does other work concurrently.
    func write(
        into mapping: PixelMappings.Mapping, announcingTo socket: OpenFile, isConcurrent: Bool
    ) throws(RunnerFailure) -> RenderReport {
        try sink.writeRaw(
            into: mapping.memory, announcingTo: socket, isConcurrent: isConcurrent)
        return try finished(nil)
    }

    /// Writes the profile of the original if the pixels are in that profile; otherwise does nothing.
    func write(profile: OpenFile) throws(RunnerFailure) {
        guard layout.profile == .original, let bytes = sink.originalProfile else { return }
        guard (try? bytes.withUnsafeBytes({ try profile.write($0, at: 0) })) != nil else {
            throw RunnerFailure(code: .outputFailed, message: "the profile cannot be written")
        }
    }

    private func finished(_ profile: OpenFile?) throws(RunnerFailure) -> RenderReport {
        if let profile { try write(profile: profile) }
        var report = report
        report.byteCount = layout.byteCount
        report.fullSizeDecodes = sink.runtime.decodes.fullSize
        report.reducedDecodes = sink.runtime.decodes.reduced
        return report
    }
}
