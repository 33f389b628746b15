// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

extension HostCapability {
    /// The cache of an extension between its edits in one process: `ee_cache`.
    static let cache: HostCapability = {
        var cache = ee_cache()
        cache.limit = { host in HostServices.object(for: host)?.cache.limit ?? 0 }
        cache.store = { host, key, data, size, error in
            guard let cache = HostServices.object(for: host)?.cache, let key = copy(ofKey: key),
                data != nil || size == 0
            else { return ee_status(EE_FAILED) }
            // Checked before the data is read, because a size beyond the limit may exceed the memory.
            guard (0...cache.limit).contains(size) else {
                error?.fill(
                    "\(UInt(bitPattern: size)) bytes exceed the cache limit of \(cache.limit)")
                return ee_status(EE_FAILED)
            }
            guard cache.store(UnsafeRawBufferPointer(start: data, count: size), key) else {
                error?.fill("no memory for \(size) bytes in the cache")
                return ee_status(EE_FAILED)
            }
            return ee_status(EE_OK)
        }
        cache.find = { host, key, data, size in
            guard let cache = HostServices.object(for: host)?.cache, let key = copy(ofKey: key),
                let data, let size, let found = cache.find(key)
            else { return false }
            (data.pointee, size.pointee) = (found.baseAddress, found.count)
            return true
        }
        cache.release = { host, data in
            if let data { HostServices.object(for: host)?.cache.release(data) }
        }
        return HostCapability(EE_CAPABILITY_CACHE, cache)
    }()

    private static func copy(ofKey key: UnsafePointer<UInt8>?) -> ExtensionCache.Key? {
        key.map { Array(UnsafeBufferPointer(start: $0, count: ExtensionCache.keyLength)) }
    }
}
