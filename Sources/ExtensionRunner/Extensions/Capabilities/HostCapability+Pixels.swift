// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol
import Vips

extension HostCapability {
    /// Pixels in the memory of an extension, without libvips: `ee_pixels`.
    static let pixels: HostCapability = {
        var pixels = ee_pixels()
        pixels.describe = { image, facts, error in
            guard let image, let facts else { return ee_status(EE_FAILED) }
            return answer(error) { () throws(RunnerFailure) in
                try facts.fill(with: ee_image_facts(Image(retaining: image)))
            }
        }
        pixels.read = { image, left, top, width, height, layout, pixels, rowBytes, error in
            guard let image, let pixels else { return ee_status(EE_FAILED) }
            return answer(error) { () throws(RunnerFailure) in
                let image = Image(retaining: image)
                let area = PixelArea(
                    left: Int(left), top: Int(top), width: Int(width), height: Int(height))
                let conversion = try PixelConversion.between(image, and: try PixelLayout(layout))
                try check(area, of: image, conversion.layout, pixels, rowBytes)
                try wrapping("read pixels", code: .extensionFailed) {
                    try image.readArea(area) { row, stored in
                        conversion.read(
                            stored, to: pixels + row * rowBytes, count: area.width)
                    }
                }
            }
        }
        pixels.create = { source, description, image, error in
            guard let source, let description, let image else { return ee_status(EE_FAILED) }
            return answer(error) { () throws(RunnerFailure) in
                image.pointee = try created(like: Image(retaining: source), description)
                    .passRetained()
            }
        }
        pixels.retain = { image in
            if let image { _ = Image(retaining: image).passRetained() }
        }
        pixels.release = { image in
            if let image { _ = Image(taking: image) }
        }
        pixels.reduced_image = { input, longestSide, image, error in
            guard let image else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                image.pointee = try input.reducedImage(longerSide: Int(longestSide)).passRetained()
            }
        }
        return HostCapability(EE_CAPABILITY_PIXELS, pixels)
    }()

    private static func created(
        like source: Image, _ description: UnsafePointer<ee_image_source>
    ) throws(RunnerFailure) -> Image {
        guard
            let description = growingStructure(
                at: description, as: ee_image_source.self, minimum: Int(EE_IMAGE_SOURCE_SIZE_1_1))
        else {
            throw RunnerFailure(
                code: .badRequest, message: "the struct_size of ee_image_source is too small")
        }
        let sides = 1...UInt32(PictureLimits.maximumSide)
        guard sides.contains(description.width), sides.contains(description.height) else {
            throw RunnerFailure(
                code: .badRequest,
                message: "an image cannot have \(description.width)x\(description.height) pixels")
        }
        guard description.fill != nil else {
            throw RunnerFailure(code: .badRequest, message: "there is no function fill")
        }
        let conversion = try PixelConversion.between(
            source, and: try PixelLayout(description.layout))
        let filler = ImageSourceFiller(description, conversion)
        return try wrapping("make an image", code: .extensionFailed) {
            let image = try source.filled(
                width: Int(description.width), height: Int(description.height),
                bands: conversion.layout.bands, by: filler)
            filler.takeData()
            return image
        }
    }

    /// - Throws: `badRequest` if the area is not in the image, or the memory does not suit the layout.
    private static func check(
        _ area: PixelArea, of image: Image, _ layout: PixelLayout,
        _ pixels: UnsafeMutableRawPointer,
        _ rowBytes: Int
    ) throws(RunnerFailure) {
        guard area.isInside(image) else {
            throw RunnerFailure(
                code: .badRequest,
                message: "\(area.width)x\(area.height) pixels at \(area.left), \(area.top) are "
                    + "not in an image of \(image.width)x\(image.height)")
        }
        let needed = area.width * layout.bytesPerPixel
        guard rowBytes >= needed, !rowBytes.multipliedReportingOverflow(by: area.height).overflow
        else {
            throw RunnerFailure(
                code: .badRequest,
                message: "rows of \(area.width) pixels need \(needed) bytes, not \(rowBytes)")
        }
        guard UInt(bitPattern: pixels).isMultiple(of: UInt(layout.samples.size)),
            rowBytes.isMultiple(of: layout.samples.size)
        else {
            throw RunnerFailure(
                code: .badRequest, message: "the memory is not aligned to the size of a sample")
        }
    }

    /// Runs the body of a callback and converts its error to a status and a message. Failures of the picture are
    /// recorded elsewhere.
    private static func answer(
        _ error: UnsafeMutablePointer<ee_error>?, _ body: () throws(RunnerFailure) -> Void
    ) -> ee_status {
        do {
            try body()
            return ee_status(EE_OK)
        } catch let failure {
            error?.fill(failure.message)
            return ee_status(failure.code == .badRequest ? EE_UNSUPPORTED : EE_FAILED)
        }
    }
}

extension ee_image_facts: SizedStructure {
    static var minimumSize: Int { Int(EE_IMAGE_FACTS_SIZE_1_1) }

    /// - Throws: `badRequest` if the image is not RGB or RGBA of 8 or 16 bits.
    fileprivate init(_ image: Image) throws(RunnerFailure) {
        try PixelConversion.require(image)
        let profile = image.borrowedBlob(ICCProfile.field)
        self.init()
        struct_size = UInt32(MemoryLayout<ee_image_facts>.size)
        width = UInt32(clamping: image.width)
        height = UInt32(clamping: image.height)
        samples = ee_samples(image.format == .ushort ? EE_SAMPLES_UINT16 : EE_SAMPLES_UINT8)
        bands = UInt32(clamping: image.bands)
        access = ee_access(image.isSequential ? EE_ACCESS_SEQUENTIAL : EE_ACCESS_RANDOM)
        has_linear = (try? PixelConversion.curves(of: image)) == nil ? 0 : 1
        self.profile = profile?.baseAddress
        profile_size = profile?.count ?? 0
    }
}
