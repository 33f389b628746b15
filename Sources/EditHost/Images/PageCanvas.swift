// SPDX-License-Identifier: Apache-2.0

import CPages
import EditingModel
import Foundation
import RunnerHost

/// Draws pages, as a PDF file or as pixels. Lengths are in points, from the top left corner.
final class PageCanvas {
    /// The bytes that have been drawn and not been returned yet.
    private final class Output {
        var bytes = Data()
    }

    private let pages: OpaquePointer
    private let output = Output()
    /// The size of a page in pixels; `nil` for PDF.
    let pixelSize: PixelSize?

    /// Creates a PDF file.
    ///
    /// - Throws: `HostError` with `badConfiguration` if the libraries are missing.
    init(width: Double, height: Double, title: String) throws {
        let pages = cpages_pdf(
            width, height, title,
            { context, bytes, count in
                guard let context, let bytes else { return }
                Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
                    .bytes.append(bytes, count: count)
            }, Unmanaged.passUnretained(output).toOpaque())
        self.pages = try Self.required(pages)
        pixelSize = nil
    }

    /// Creates pages of pixels.
    ///
    /// - Parameter scale: The number of pixels per point.
    /// - Throws: `HostError` with `badConfiguration` if the libraries are missing.
    init(width: Double, height: Double, scale: Double) throws {
        pages = try Self.required(cpages_pixels(width, height, scale))
        var size: (width: Int32, height: Int32) = (0, 0)
        cpages_size(pages, &size.width, &size.height)
        pixelSize = PixelSize(width: Int(size.width), height: Int(size.height))
    }

    deinit { cpages_free(pages) }

    private static func required(_ pages: OpaquePointer?) throws -> OpaquePointer {
        if let pages { return pages }
        throw HostError(
            .badConfiguration,
            "PDF and JPEG contact sheets need libpangocairo-1.0.so.0; install the package "
                + "libpangocairo-1.0-0, or write SVG or HTML")
    }

    /// Draws a line of untrusted text, centred in a width and shortened to it. Control characters, bidirectional controls
    /// and invisible characters are escaped, and the line is isolated from other text.
    func draw(_ text: String, x: Double, y: Double, width: Double) {
        cpages_text(pages, text.printable, x, y, width, ContactSheetLayout.fontSize)
    }

    /// Draws the outline of a box.
    func drawOutline(x: Double, y: Double, width: Double, height: Double) {
        cpages_outline(pages, x, y, width, height)
    }

    /// Draws a JPEG file in a PDF, which contains it unchanged.
    ///
    /// - Parameter scale: The width of a pixel.
    func draw(_ image: EncodedImage, x: Double, y: Double, scale: Double) {
        image.data.withUnsafeBytes { bytes in
            cpages_draw_jpeg(
                pages, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count,
                Int32(clamping: image.size.width), Int32(clamping: image.size.height), x, y, scale)
        }
    }

    /// Draws 8-bit RGB pixels.
    ///
    /// - Parameter scale: The width of a pixel.
    func draw(_ image: AssetImage, x: Double, y: Double, scale: Double) {
        image.withUnsafeBytes { bytes in
            cpages_draw_rgb(
                pages, bytes.bindMemory(to: UInt8.self).baseAddress, Int32(clamping: image.width),
                Int32(clamping: image.height), x, y, scale)
        }
    }

    /// Ends a page and begins the next one.
    ///
    /// - Returns: The 8-bit RGB pixels of the page, or the next bytes of the PDF file.
    /// - Throws: `HostError` with `cannotRender`.
    func endPage() throws -> Data {
        guard let pixelSize else {
            try require(cpages_end_page(pages, nil))
            return takeOutput()
        }
        var pixels = Data(count: pixelSize.width * pixelSize.height * 3)
        let isSound = pixels.withUnsafeMutableBytes {
            cpages_end_page(pages, $0.bindMemory(to: UInt8.self).baseAddress)
        }
        try require(isSound)
        return pixels
    }

    /// Ends a PDF file and returns its last bytes.
    ///
    /// - Throws: `HostError` with `cannotRender`.
    func finish() throws -> Data {
        try require(cpages_finish(pages))
        return takeOutput()
    }

    private func takeOutput() -> Data {
        defer { output.bytes = Data() }
        return output.bytes
    }

    private func require(_ isSound: Bool) throws {
        guard isSound else {
            throw HostError(.cannotRender, "a page of the contact sheet cannot be drawn")
        }
    }
}
