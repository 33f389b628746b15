// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import Synchronization

/// The door through which the host comes in.
public enum EditingExtension {
    /// What the exported function of an extension made of a controller returns.
    ///
    /// - Returns: Nil where the host is of another major version.
    public static func entry<Controller: ContentEditingController>(
        _ controller: Controller.Type, host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        guard host.pointee.abi_major == EE_ABI_MAJOR,
            host.pointee.struct_size >= UInt32(EE_HOST_SIZE_1_0)
        else { return nil }
        return Registration.register(controller, host: host)
    }

    /// What the exported function of an extension made of a `PhotoFilter` returns.
    ///
    ///     @c(editing_extension_entry)
    ///     public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    ///         EditingExtension.entry(Brightness.self, host: host)
    ///     }
    ///
    /// - Returns: Nil where the host is of another major version.
    public static func entry<Filter: PhotoFilter>(
        _ filter: Filter.Type, host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        entry(PhotoFilterController<Filter>.self, host: host)
    }

    /// Writes one line into the log that the host keeps of this extension. Any thread.
    public static func log(_ message: String) {
        guard let host = Registration.host else { return }
        host.pointee.log(host, message)
    }
}
