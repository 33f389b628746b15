// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Synchronization

/// The host's side of an input, with pictures from the test.
final class TestInput: Sendable {
    private let full: Image
    private let display: Image
    private let accesses = Mutex<[ee_access]>([])
    /// `nonisolated(unsafe)` is safe: set in the initialiser and only read afterwards.
    private nonisolated(unsafe) let storage: UnsafeMutablePointer<ee_input>
    private nonisolated(unsafe) let adjustment: UnsafeMutablePointer<ee_adjustment>?
    private nonisolated(unsafe) let capture: UnsafeMutablePointer<ee_capture>
    private nonisolated(unsafe) let strings: [UnsafeMutablePointer<CChar>]

    init(
        _ full: Image, display: Image? = nil, recipe: AdjustmentData? = nil,
        mediaType: MediaType = .image, mediaSubtypes: MediaSubtype = .photoScreenshot
    ) {
        self.full = full
        self.display = display ?? full
        var strings: [UnsafeMutablePointer<CChar>] = []
        func text(_ text: String) -> UnsafePointer<CChar> {
            let characters = text.utf8CString
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
            for (index, character) in characters.enumerated() { copy[index] = character }
            strings.append(copy)
            return UnsafePointer(copy)
        }
        adjustment = recipe.map { recipe in
            let bytes = String(decoding: recipe.data, as: UTF8.self)
            let adjustment = UnsafeMutablePointer<ee_adjustment>.allocate(capacity: 1)
            adjustment.initialize(
                to: ee_adjustment(
                    format_identifier: text(recipe.formatIdentifier),
                    format_version: text(recipe.formatVersion), data: text(bytes),
                    size: recipe.data.count))
            return adjustment
        }
        var input = ee_input()
        input.struct_size = UInt32(MemoryLayout<ee_input>.stride)
        input.media_type = Int32(mediaType.rawValue)
        input.media_subtypes = UInt64(mediaSubtypes.rawValue)
        input.content_type = text("image/png")
        input.creation_date = text("2024-05-06T07:08:09+02:00")
        input.has_location = true
        input.latitude = 48.5
        input.longitude = -9.25
        input.full_width = UInt32(full.width)
        input.full_height = UInt32(full.height)
        input.full_size_orientation = 1
        input.full_scale = 1
        input.display_scale = Double(self.display.width) / Double(full.width)
        input.adjustment = UnsafePointer(adjustment)
        input.display_image = displayImage
        input.full_size_image = fullSizeImage
        input.full_size_path = { _, path, error in
            fail(error, "no file in this test")
        }
        input.rendered_content_path = renderedContentPath
        input.default_rendered_content_type = text("image/png")
        var capture = ee_capture()
        capture.struct_size = UInt32(MemoryLayout<ee_capture>.stride)
        capture.orientation = 6
        capture.camera_make = text("Maker")
        capture.focal_length = 35
        capture.aperture = .nan
        capture.flash = -1
        capture.white_balance = 1
        capture.is_hdr = true
        self.capture = .allocate(capacity: 1)
        self.capture.initialize(to: capture)
        input.capture = UnsafePointer(self.capture)
        self.strings = strings
        storage = .allocate(capacity: 1)
        storage.initialize(to: input)
        storage.pointee.host_data = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        for string in strings { string.deallocate() }
        adjustment?.deallocate()
        self.capture.deallocate()
        storage.deallocate()
    }

    var pointer: UnsafePointer<ee_input> { UnsafePointer(storage) }
    /// The access of each request for the full-size image so far.
    var fullSizeRequests: [ee_access] { accesses.withLock { $0 } }

    fileprivate func displaySize() -> Image { display }

    fileprivate func fullSize(_ access: ee_access) -> Image {
        accesses.withLock { $0.append(access) }
        return full
    }
}

private nonisolated func testInput(_ input: UnsafePointer<ee_input>?) -> TestInput? {
    input?.pointee.host_data.map { Unmanaged<TestInput>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func displayImage(
    _ input: UnsafePointer<ee_input>?,
    _ image: UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    image?.pointee = testInput(input)?.displaySize().passRetained()
    return ee_status(EE_OK)
}

private nonisolated func fullSizeImage(
    _ input: UnsafePointer<ee_input>?, _ access: ee_access,
    _ image: UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    image?.pointee = testInput(input)?.fullSize(access).passRetained()
    return ee_status(EE_OK)
}

private nonisolated func renderedContentPath(
    _ input: UnsafePointer<ee_input>?, _ type: UnsafePointer<CChar>?,
    _ path: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    guard type.map({ String(cString: $0) }) == "image/jpeg" else {
        return fail(error, "only JPEG in this test")
    }
    path?.pointee = renderedPath.utf8Start.withMemoryRebound(to: CChar.self, capacity: 1) { $0 }
    return ee_status(EE_OK)
}

/// A constant, so that it is never freed.
private let renderedPath: StaticString = "/rendered/output.jpg"

private nonisolated func fail(
    _ error: UnsafeMutablePointer<ee_error>?, _ message: StaticString
) -> ee_status {
    if let error {
        withUnsafeMutableBytes(of: &error.pointee.message) {
            $0.copyBytes(
                from: UnsafeBufferPointer(
                    start: message.utf8Start, count: message.utf8CodeUnitCount))
        }
    }
    return ee_status(EE_FAILED)
}
