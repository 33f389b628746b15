// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import RunnerProtocol
import RunnerSupport

/// What an extension is given of the host: `ee_host`. Made once for each, never freed.
///
/// `@unchecked Sendable` is safe: the structure is filled before anybody sees it and is constant
/// from then on.
final class HostServices: @unchecked Sendable {
    /// Lives as long as the process.
    let pointer: UnsafePointer<ee_host>
    private let identifier: String
    /// What the extension keeps between its edits.
    let cache = ExtensionCache()
    private let files: LoadedFiles
    private let connection: Connection

    /// - Parameters:
    ///   - description: What the manifest says.
    ///   - files: The bytes of its files.
    ///   - connection: To the host.
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

    /// What an extension was given, by its structure.
    static func behind(_ host: UnsafePointer<ee_host>?) -> HostServices? {
        host?.pointee.host_data.map {
            Unmanaged<HostServices>.fromOpaque($0).takeUnretainedValue()
        }
    }

    /// The bytes of one of the extension's files; nil where its manifest names none such.
    func file(named name: String) -> UnsafeRawBufferPointer? { files.bytes(name) }

    private func log(_ message: UnsafePointer<CChar>?) {
        guard let text = String(bounded: message, limit: Connection.maximumLogLine) else { return }
        connection.log("\(identifier): \(text)")
    }
}
