// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

extension HostCapability {
    /// Access to the file of the original: `ee_original`.
    static let original: HostCapability = {
        var original = ee_original()
        original.bytes = { input, data, size, error in
            guard let data, let size else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                let bytes = try input.readableOriginal().bytes.memory
                (data.pointee, size.pointee) = (bytes.baseAddress, bytes.count)
            }
        }
        original.filename = { input, name, error in
            guard let name else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                name.pointee = try input.originalFilename()
            }
        }
        return HostCapability(EE_CAPABILITY_ORIGINAL, original)
    }()
}
