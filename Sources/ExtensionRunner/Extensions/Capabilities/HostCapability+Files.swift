// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

extension HostCapability {
    /// The files of the extension and of its parameters: `ee_files`.
    static let files: HostCapability = {
        var files = ee_files()
        files.bytes = { host, name, data, size, error in
            guard let data, let size, let services = HostServices.object(for: host) else {
                return ee_status(EE_FAILED)
            }
            let name = String(bounded: name, limit: 256) ?? ""
            guard let bytes = services.file(named: name) else {
                error?.fill("the manifest's hashedFiles do not contain \(abbreviated(name))")
                return ee_status(EE_FAILED)
            }
            (data.pointee, size.pointee) = (bytes.baseAddress, bytes.count)
            return ee_status(EE_OK)
        }
        files.parameter = { input, value, data, size, error in
            guard let data, let size, let input = ControllerInput.object(for: input) else {
                return ee_status(EE_FAILED)
            }
            let name = String(bounded: value, limit: 256) ?? ""
            guard let bytes = input.files.bytes(name) else {
                error?.fill("no parameter of this edit refers to a file \(abbreviated(name))")
                return ee_status(EE_FAILED)
            }
            (data.pointee, size.pointee) = (bytes.baseAddress, bytes.count)
            return ee_status(EE_OK)
        }
        return HostCapability(EE_CAPABILITY_FILES, files)
    }()
}
