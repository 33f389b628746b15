// SPDX-License-Identifier: Apache-2.0

import CVips

/// libvips as a whole: starting it, and the settings that hold for the process.
public enum VipsLibrary {
    /// Starts libvips and turns its operation cache off; later calls do nothing.
    ///
    /// May be called from any thread, and must have returned before anything else of this module
    /// is used. A plug-in need not call it: its runner has.
    public static func initialize() throws(VipsError) {
        if let error = startUpError { throw error }
    }

    // A static is initialised once, whichever threads ask first.
    private static let startUpError: VipsError? = {
        guard vips_init("edithost") == 0 else { return VipsError.last(in: "vips_init") }
        // Every image here is used once; a cache would only keep pixels and files alive.
        vips_cache_set_max(0)
        return nil
    }()

    /// libvips' version, such as "8.14.1".
    public static var version: String { String(cString: vips_version_string()) }

    /// The number of threads that evaluate one image. Zero asks libvips for its default.
    public static var concurrency: Int {
        get { Int(vips_concurrency_get()) }
        set { vips_concurrency_set(Int32(clamping: newValue)) }
    }

    /// Refuses every operation that libvips marks as not safe for input from outside.
    public static func blockUntrusted() {
        vips_block_untrusted_set(1)
    }

    /// Refuses, or allows again, an operation class and all that derive from it.
    ///
    /// - Parameter className: The class in libvips' words, such as "VipsForeignLoadJxl".
    public static func setBlocked(_ isBlocked: Bool, className: String) {
        vips_operation_block_set(className, isBlocked ? 1 : 0)
    }

    /// Whether libvips was built with this operation, such as "heifload_source".
    public static func hasOperation(_ name: String) -> Bool {
        vips_type_find("VipsOperation", name) != 0
    }

    /// The bytes of pixel memory that libvips holds now, in the whole process.
    public static var trackedMemory: Int { Int(vips_tracked_get_mem()) }

    /// The most bytes of pixel memory that libvips has held at a time.
    public static var trackedMemoryHighWater: Int { Int(vips_tracked_get_mem_highwater()) }
}
