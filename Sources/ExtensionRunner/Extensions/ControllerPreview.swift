// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol
import Vips

/// A request for a preview, `ee_preview` in the C contract, valid until `render_preview` returns. Used on the
/// session's thread only.
final class ControllerPreview {
    private let structure: UnsafeMutablePointer<ee_preview>
    private let input: ControllerInput
    private let image: (PixelAccess) throws(RunnerFailure) -> Image
    /// The profile of the preview as the extension named it, `nil` for that of the input.
    private(set) var profile: ColorProfile?

    /// - Parameters:
    ///   - region: The visible part; `nil` for the whole picture.
    ///   - scale: The width of the image relative to the photo.
    ///   - moment: The frame of a video; `nil` for a photo.
    ///   - input: The input of the edit.
    ///   - image: Returns the input at that scale.
    init(
        of region: NormalizedRect?, at scale: Double, _ moment: FrameIdentity?,
        over input: ControllerInput,
        image: @escaping (PixelAccess) throws(RunnerFailure) -> Image
    ) {
        self.input = input
        self.image = image
        let region = region ?? NormalizedRect(x: 0, y: 0, width: 1, height: 1)
        structure = .allocate(capacity: 1)
        structure.initialize(to: ee_preview())
        structure.pointee.struct_size = UInt32(MemoryLayout<ee_preview>.size)
        structure.pointee.scale = scale
        structure.pointee.x = region.x
        structure.pointee.y = region.y
        structure.pointee.width = region.width
        structure.pointee.height = region.height
        if let moment {
            structure.pointee.time = moment.contractTime
            structure.pointee.duration = moment.contractDuration
            structure.pointee.timescale = moment.contractTimescale
        }
        // The object is not retained, because the structure is freed with it.
        structure.pointee.host_data = Unmanaged.passUnretained(self).toOpaque()
        structure.pointee.image = { preview, access, image, error in
            guard let data = preview?.pointee.host_data, let image else {
                return ee_status(EE_FAILED)
            }
            let preview = Unmanaged<ControllerPreview>.fromOpaque(data).takeUnretainedValue()
            return ControllerInput.answer(preview.input.pointer, error) { _ in
                let isRandom = Int(access) == Int(EE_ACCESS_RANDOM)
                image.pointee = try preview.image(isRandom ? .random : .sequential)
                    .passRetained()
            }
        }
        structure.pointee.set_profile = { preview, name, error in
            guard let data = preview?.pointee.host_data else { return ee_status(EE_FAILED) }
            let preview = Unmanaged<ControllerPreview>.fromOpaque(data).takeUnretainedValue()
            return ControllerInput.answer(preview.input.pointer, error) { _ in
                try preview.setProfile(name)
            }
        }
    }

    deinit { structure.deallocate() }

    private func setProfile(_ name: UnsafePointer<CChar>?) throws(RunnerFailure) {
        guard structure.pointee.timescale == 0 else {
            throw RunnerFailure(code: .badRequest, message: "the frames of videos are sRGB")
        }
        do {
            profile = try ControllerOutput.profile(name)
        } catch {
            throw RunnerFailure(code: .badRequest, message: error.reason)
        }
    }

    /// The structure passed to the extension.
    var pointer: UnsafePointer<ee_preview> { UnsafePointer(structure) }
}
