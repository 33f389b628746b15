// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

/// The entry points of an extension library, and functions that are available outside an edit.
public enum EditingExtension {
    /// Returns the value of the exported entry function, for an extension implemented by a controller.
    ///
    /// - Returns: The entry structure, or nil if the host has another major version.
    public static func entry<Controller: ContentEditingController>(
        _ controller: Controller.Type, host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        guard isUnderstood(host) else { return nil }
        let identity = (controller.identifier, controller.version)
        return Registration.register(controller, as: identity, host: host)
    }

    /// Returns the value of the exported entry function, for a library that serves several manifests with one
    /// controller each.
    ///
    /// - Returns: The entry structure. Nil if no controller matches the manifest, which is logged, or if the host
    ///   has another major version.
    public static func entry(
        _ controllers: [any ContentEditingController.Type], host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        guard isUnderstood(host) else { return nil }
        let identifier = String(optional: host.pointee.identifier) ?? ""
        guard let controller = controllers.first(where: { $0.identifier == identifier }) else {
            let known = controllers.map { $0.identifier }.joined(separator: ", ")
            host.pointee.log(host, "the library serves \(known), not \(identifier)")
            return nil
        }
        return entry(controller, host: host)
    }

    /// Returns the value of the exported entry function, for a library that serves several manifests with one
    /// filter each.
    ///
    /// - Returns: The entry structure. Nil if no filter matches the manifest, which is logged, or if the host has
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

    /// Returns the value of the exported entry function, for a bridge: a library with one controller that serves
    /// every manifest it is installed with.
    ///
    /// The controller reads the identifier of its manifest from ``manifestIdentifier``. Its own `identifier` and
    /// `version` are ignored.
    ///
    /// - Returns: The entry structure, or nil if the host has another major version.
    public static func entry<Controller: ContentEditingController>(
        bridge controller: Controller.Type, host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        guard isUnderstood(host), let identifier = String(optional: host.pointee.identifier),
            let version = String(optional: host.pointee.version)
        else { return nil }
        return Registration.register(controller, as: (identifier, version), host: host)
    }

    /// The identifier in the manifest that the library was loaded for; nil before the entry point was called. May
    /// be read on any thread.
    public static var manifestIdentifier: String? {
        Registration.host.flatMap { String(optional: $0.pointee.identifier) }
    }

    private static func isUnderstood(_ host: UnsafePointer<ee_host>) -> Bool {
        host.pointee.abi_major == EE_ABI_MAJOR
            && host.pointee.struct_size >= UInt32(EE_HOST_SIZE_1_0)
    }

    /// Returns the value of the exported entry function, for an extension implemented by a `PhotoFilter`.
    ///
    ///     @c(editing_extension_entry)
    ///     public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
    ///         EditingExtension.entry(Brightness.self, host: host)
    ///     }
    ///
    /// - Returns: The entry structure, or nil if the host has another major version.
    public static func entry<Filter: PhotoFilter>(
        _ filter: Filter.Type, host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry>? {
        entry(PhotoFilterController<Filter>.self, host: host)
    }

    /// Returns the verified bytes of one of the extension's own files, by its name in the manifest's `hashedFiles`.
    /// They are 64-byte aligned and live as long as the process. May be called on any thread.
    ///
    /// - Throws: `EditingExtensionError` if the manifest names no such file, or if the host does not support files.
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

    /// Caches bytes for later edits in the same process, replacing any earlier value of the key. Entries may be evicted
    /// at any time. May be called on any thread.
    ///
    /// - Parameter key: A hash of all data from which the bytes were computed, 32 bytes long.
    /// - Throws: `EditingExtensionError` if the key has another length, if the bytes exceed the size of the host's
    ///   cache, or if the host has no cache.
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

    /// Returns a copy of the bytes cached under a key, or nil if there are none. May be called on any thread.
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

    /// Writes one line to the host's log of this extension. May be called on any thread.
    public static func log(_ message: String) {
        guard let host = Registration.host else { return }
        host.pointee.log(host, message)
    }
}
