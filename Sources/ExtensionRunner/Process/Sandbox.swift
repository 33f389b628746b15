// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Glibc

/// The runner's way of giving up what it does not need: limits and Landlock before the first
/// thread, the filter of system calls before the first request.
struct Sandbox {
    /// A layer cannot be had.
    struct Unavailable: Error, CustomStringConvertible {
        let description: String

        fileprivate init(_ what: String) {
            description = "\(what): \(String(cString: strerror(errno)))"
        }
    }

    /// The default limits. A session may hold the pixels of a picture of 100 megapixels several
    /// times over (0.8 GB each in 16-bit RGBA), beside some 1 GiB of code and stacks. Raw pixels
    /// are the longest files: the host takes 8 GiB.
    private static let limits = csandbox_limits(
        address_space: 9 << 30, file_size: 8 << 30, open_files: 64, locked_memory: 64 << 10)

    private var landlockABI = 0

    /// Limits the process, and leaves it nothing of the file system but its private folder and
    /// what libraries need. No other thread may be running.
    ///
    /// - Parameter folder: Where it may write; nil: nowhere.
    init(folder: String?) throws(Unavailable) {
        var limits = Self.limits
        guard csandbox_limit(&limits) == 0 else {
            throw Unavailable("the limits cannot be set")
        }
        let readable = Self.systemFiles + Self.libraryFolders()
        landlockABI = Int(Self.withPointers(readable) { csandbox_landlock($0, folder) })
        guard landlockABI > 0 else {
            throw Unavailable("this system offers no Landlock (Linux 5.13 or newer, lsm=landlock)")
        }
    }

    private init() {}

    /// Nothing is kept from the process, because its user said so.
    static let none = Sandbox()

    /// Allows all threads only the system calls of ``AllowedCalls``.
    func close() throws(Unavailable) {
        guard landlockABI > 0 else { return }
        guard Self.withPointers(AllowedCalls.names, csandbox_filter) == 0 else {
            throw Unavailable("the kernel takes no seccomp filter")
        }
    }

    /// What is in force.
    var facts: SandboxFacts {
        SandboxFacts(
            landlockABI: landlockABI, seccomp: csandbox_has_filter() == 1,
            noNewPrivileges: csandbox_has_no_new_privileges() == 1,
            addressSpace: Self.limit(RLIMIT_AS), fileSize: Self.limit(RLIMIT_FSIZE),
            openFiles: Self.limit(RLIMIT_NOFILE))
    }

    private static func limit(_ resource: __rlimit_resource) -> UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
            ? UInt64(limit.rlim_cur) : 0
    }

    /// What the dynamic loader, libvips and the languages' run-times read.
    private static let systemFiles = [
        "/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom",
        "/dev/zero", "/sys/devices/system/cpu",
    ]

    /// Where the libraries lie that the runner was linked with: the Swift run-time need not be
    /// in a system folder.
    private static func libraryFolders() -> [String] {
        var folders: Set<String> = []
        withUnsafeMutablePointer(to: &folders) { folders in
            csandbox_each_library(
                { path, context in
                    guard let path, let context else { return }
                    let folder = String(cString: path).split(separator: "/").dropLast()
                    guard !folder.isEmpty else { return }
                    context.assumingMemoryBound(to: Set<String>.self).pointee
                        .insert("/" + folder.joined(separator: "/"))
                }, folders)
        }
        return folders.sorted()
    }

    /// Lends a list of C strings with NULL at its end.
    private static func withPointers<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
