// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import RunnerProtocol
import RunnerSupport

/// The host services for an extension, `ee_host`. Created once for each extension and never freed.
///
/// `@unchecked Sendable` is safe: the structure is initialised before it is shared and constant afterwards.
final class HostServices: @unchecked Sendable {
    /// The structure, which lives as long as the process.
    let pointer: UnsafePointer<ee_host>
    private let identifier: String
    /// The cache of the extension between its edits.
    let cache = ExtensionCache()
    private let files: LoadedFiles
    private let connection: Connection

    /// - Parameters:
    ///   - description: The description from the manifest.
    ///   - files: The files of the extension.
    ///   - connection: The connection to the host.
    init(_ description: LoadedExtension, files: LoadedFiles, connection: Connection) {
        identifier = description.identifier
        self.files = files
        self.connection = connection
        let host = UnsafeMutablePointer<ee_host>.allocate(capacity: 1)
        pointer = UnsafePointer(host)
        host.initialize(to: ee_host())
        host.pointee.struct_size = UInt32(MemoryLayout<ee_host>.size)
        host.pointee.abi_major = UInt32(EE_ABI_MAJOR)
        host.pointee.abi_minor = UInt32(EE_ABI_MINOR)
        host.pointee.host_data = Unmanaged.passRetained(self).toOpaque()
        host.pointee.log = { host, message in
            guard let data = host?.pointee.host_data else { return }
            Unmanaged<HostServices>.fromOpaque(data).takeUnretainedValue().log(message)
        }
        let identifier = UnsafeMutableBufferPointer<CChar>.copy(description.identifier)
        host.pointee.identifier = UnsafePointer(identifier.baseAddress)
        let version = UnsafeMutableBufferPointer<CChar>.copy(description.version)
        host.pointee.version = UnsafePointer(version.baseAddress)
        host.pointee.get_capability = { _, id in
            String(bounded: id, limit: 256).flatMap { HostCapability.structure($0) }
        }
    }

    /// Returns the object that belongs to a structure passed by the extension.
    static func object(for host: UnsafePointer<ee_host>?) -> HostServices? {
        host?.pointee.host_data.map {
            Unmanaged<HostServices>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// Returns the bytes of a file of the extension; `nil` if it is not in the manifest.
    func file(named name: String) -> UnsafeRawBufferPointer? { files.bytes(name) }

    private func log(_ message: UnsafePointer<CChar>?) {
        guard let text = String(bounded: message, limit: Connection.maximumLogLine) else { return }
        connection.log("\(identifier): \(text)")
    }
}
