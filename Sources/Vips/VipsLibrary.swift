// SPDX-License-Identifier: Apache-2.0

import CVips

/// Start-up of libvips, and its process-wide settings.
public enum VipsLibrary {
    /// Starts libvips and disables its operation cache. Idempotent.
    ///
    /// May be called from any thread. It must have returned before anything else in this module is used. An extension
    /// need not call it, because its runner already has.
    ///
    /// - Throws: `VipsError` with `operationFailed`.
    public static func initialize() throws(VipsError) {
        if let error = startUpError { throw error }
    }

    // A static is initialised once, even if threads access it concurrently.
    private static let startUpError: VipsError? = {
        guard vips_init("edithost") == 0 else { return VipsError.last(in: "vips_init") }
        // Every image is used once; a cache would only keep pixels and files alive.
        vips_cache_set_max(0)
        return nil
    }()

    /// The version of libvips, such as "8.14.1".
    public static var version: String { String(cString: vips_version_string()) }

    /// The number of threads that evaluate one image. Zero selects libvips' default.
    public static var concurrency: Int {
        get { Int(vips_concurrency_get()) }
        set { vips_concurrency_set(Int32(clamping: newValue)) }
    }

    /// Blocks every operation that libvips marks as unsafe for untrusted input.
    public static func blockUntrusted() {
        vips_block_untrusted_set(1)
    }

    /// Blocks or unblocks an operation class and all its subclasses.
    ///
    /// - Parameter className: The libvips class name, such as "VipsForeignLoadJxl".
    public static func setBlocked(_ isBlocked: Bool, className: String) {
        vips_operation_block_set(className, isBlocked ? 1 : 0)
    }

    /// Returns whether libvips was built with an operation, such as "heifload_source".
    public static func hasOperation(_ name: String) -> Bool {
        vips_type_find("VipsOperation", name) != 0
    }

    /// The size in bytes of the pixel memory that libvips currently holds in this process.
    public static var trackedMemory: Int { Int(vips_tracked_get_mem()) }

    /// The maximum size in bytes of the pixel memory that libvips has held so far in this process.
    public static var trackedMemoryHighWater: Int { Int(vips_tracked_get_mem_highwater()) }
}
