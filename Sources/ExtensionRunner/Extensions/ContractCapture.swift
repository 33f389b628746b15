// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel

/// The capture facts of a photo, `ee_capture` in the C contract.
///
/// `@unchecked Sendable` is safe: it is immutable after `init`, and this object owns the memory.
final class ContractCapture: @unchecked Sendable {
    private let structure: UnsafeMutablePointer<ee_capture>
    private let texts: [UnsafeMutableBufferPointer<CChar>]

    init(_ facts: AssetFacts) {
        let capture = facts.capture
        let settings = capture.settings
        let copies = [capture.cameraMake, capture.cameraModel, capture.lensModel].map {
            $0.map { UnsafeMutableBufferPointer<CChar>.copy($0) }
        }
        texts = copies.compactMap(\.self)
        structure = .allocate(capacity: 1)
        structure.initialize(
            to: ee_capture(
                struct_size: UInt32(MemoryLayout<ee_capture>.size),
                is_raw: facts.isRaw, is_hdr: facts.mediaSubtypes.contains(.photoHDR),
                is_screenshot: facts.mediaSubtypes.contains(.photoScreenshot),
                orientation: Int32(clamping: capture.orientation),
                flash: Int32(clamping: settings?.flash ?? -1),
                white_balance: Int32(clamping: settings?.whiteBalance ?? -1),
                camera_make: UnsafePointer(copies[0]?.baseAddress),
                camera_model: UnsafePointer(copies[1]?.baseAddress),
                lens_model: UnsafePointer(copies[2]?.baseAddress),
                focal_length: settings?.focalLength ?? .nan,
                focal_length_35mm: settings?.focalLengthIn35mmFilm ?? .nan,
                aperture: settings?.aperture ?? .nan,
                exposure_time: capture.exposureTime ?? .nan,
                iso_speed: settings?.isoSpeed ?? .nan,
                exposure_bias: settings?.exposureBias ?? .nan,
                subject_distance: settings?.subjectDistance ?? .nan))
    }

    deinit {
        texts.forEach { $0.deallocate() }
        structure.deallocate()
    }

    /// The structure passed to the extension.
    var pointer: UnsafePointer<ee_capture> { UnsafePointer(structure) }
}
