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
        guard isUnderstood(host) else { return nil }
        let identity = (controller.identifier, controller.version)
        return Registration.register(controller, as: identity, host: host)
    }

    /// What the exported function of a library returns that serves several manifests, each with a
    /// controller of its own.
    ///
    /// - Returns: Nil where the manifest is that of none of them, which is logged, or where the host is of
    ///   another major version.
    public static func entry(
        _ controllers: [any ContentEditingController.Type], host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        guard isUnderstood(host) else { return nil }
        let wanted = String(optional: host.pointee.identifier) ?? ""
        guard let controller = controllers.first(where: { $0.identifier == wanted }) else {
            let known = controllers.map { $0.identifier }.joined(separator: ", ")
            host.pointee.log(host, "the library serves \(known), not \(wanted)")
            return nil
        }
        return entry(controller, host: host)
    }

    /// What the exported function of a library returns that serves several manifests, each with a filter
    /// of its own.
    ///
    /// - Returns: Nil where the manifest is that of none of them, which is logged, or where the host is of
    ///   another major version.
    public static func entry(
        _ filters: [any PhotoFilter.Type], host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        entry(filters.map { controller(of: $0) }, host: host)
    }

    private static func controller<Filter: PhotoFilter>(
        of filter: Filter.Type
    ) -> any ContentEditingController.Type {
        PhotoFilterController<Filter>.self
    }

    /// What the exported function of a bridge returns: a library whose one controller serves every
    /// manifest that it is installed with. It learns from ``manifestIdentifier`` which one it is; its own
    /// `identifier` and `version` do not count.
    ///
    /// - Returns: Nil where the host is of another major version.
    public static func entry<Controller: ContentEditingController>(
        bridge controller: Controller.Type, host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        guard isUnderstood(host), let identifier = String(optional: host.pointee.identifier),
            let version = String(optional: host.pointee.version)
        else { return nil }
        return Registration.register(controller, as: (identifier, version), host: host)
    }

    /// The identifier in the manifest that the library was loaded for; nil before the entry point was
    /// called. Any thread.
    public static var manifestIdentifier: String? {
        Registration.host.flatMap { String(optional: $0.pointee.identifier) }
    }

    private static func isUnderstood(_ host: UnsafePointer<ee_host>) -> Bool {
        host.pointee.abi_major == EE_ABI_MAJOR
            && host.pointee.struct_size >= UInt32(EE_HOST_SIZE_1_0)
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

    /// The bytes of one of the extension's own files, by its name in the manifest's `hashedFiles`: the ones
    /// that were hashed. They lie at a multiple of 64 and live as long as the process. Any thread.
    ///
    /// - Throws: `EditingExtensionError` where the manifest names no such file, or the host has no files.
    public static func file(named name: String) throws -> UnsafeRawBufferPointer {
        guard let host = Registration.host,
            let capability = host.pointee.get_capability(host, EE_CAPABILITY_FILES),
            let files = growingStructure(
                at: capability, as: ee_files.self, minimum: Int(EE_FILES_SIZE_1_0))
        else {
            throw EditingExtensionError(
                code: .unsupported, message: "this host gives no files to extensions")
        }
        var (data, size) = (UnsafeRawPointer?.none, 0)
        var error = ee_error()
        let status = files.bytes(host, name, &data, &size, &error)
        if let error = EditingExtensionError(status: status, error) { throw error }
        return UnsafeRawBufferPointer(start: data, count: size)
    }

    /// Keeps bytes for later edits in the same process, in place of what was there. It is a cache: what is
    /// kept may be gone at any time. Any thread.
    ///
    /// - Parameter key: 32 bytes, a hash of what the bytes were made of.
    /// - Throws: `EditingExtensionError` where the key has another length, the bytes are more than the host
    ///   keeps, or it keeps none.
    public static func cache(_ bytes: [UInt8], for key: [UInt8]) throws {
        guard let (host, cache) = cacheCapability else {
            throw EditingExtensionError(code: .unsupported, message: "this host has no cache")
        }
        guard key.count == 32 else {
            throw EditingExtensionError(
                code: .failed, message: "a key of the cache has 32 bytes, not \(key.count)")
        }
        var error = ee_error()
        let status = bytes.withUnsafeBytes {
            cache.store(host, key, $0.baseAddress, $0.count, &error)
        }
        if let error = EditingExtensionError(status: status, error) { throw error }
    }

    /// A copy of what was kept under a key; nil where there is nothing, or no longer. Any thread.
    public static func cached(for key: [UInt8]) -> [UInt8]? {
        guard key.count == 32, let (host, cache) = cacheCapability else { return nil }
        var (data, size) = (UnsafeRawPointer?.none, 0)
        guard cache.find(host, key, &data, &size) else { return nil }
        defer { cache.release(host, data) }
        return Array(UnsafeRawBufferPointer(start: data, count: size))
    }

    private static var cacheCapability: (UnsafePointer<ee_host>, ee_cache)? {
        guard let host = Registration.host,
            let cache = Registration.capability(
                EE_CAPABILITY_CACHE, as: ee_cache.self, minimum: Int(EE_CACHE_SIZE_1_0))
        else { return nil }
        return (host, cache)
    }

    /// Writes one line into the log that the host keeps of this extension. Any thread.
    public static func log(_ message: String) {
        guard let host = Registration.host else { return }
        host.pointee.log(host, message)
    }
}
