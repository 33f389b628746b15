// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel
import Glibc
import RunnerProtocol

/// The sandbox of a runner: namespaces, limits and Landlock before the first thread, the system call filter before
/// the first request.
package struct Sandbox {
    /// A required layer of the sandbox is unavailable.
    package struct Unavailable: Error, CustomStringConvertible {
        package let description: String

        fileprivate init(_ what: String) {
            description = "\(what): \(String(cString: strerror(errno)))"
        }
    }

    /// The process cannot be bound to its host; the value is the `errno`.
    package struct NoRunner: Error, CustomStringConvertible {
        package let description = String(cString: strerror(errno))
    }

    private let level: SandboxLevel
    private var namespaces: Int32 = 0
    private var landlockABI = 0

    /// Limits the process, and restricts the file system to its private folder and the files that libraries need.
    /// No other thread may be running.
    ///
    /// - Parameter folder: The only writable folder. Nil means none.
    /// - Throws: ``Unavailable``, ``NoRunner``.
    package init(_ arguments: RunnerArguments, folder: String?) throws {
        level = arguments.sandbox
        // The order matters (decision 7): a change of privileges would undo the binding of this process to its
        // host.
        if level != .none { try dropPrivileges() }
        // A process that the user has started outlives its host, and can be debugged.
        let isFree = arguments.isParent && level == .none
        guard csandbox_enter_runner(isFree ? 0 : arguments.host) == 0 else { throw NoRunner() }
        guard level != .none else {
            guard !arguments.isDebuggable || csandbox_allow_debugger() == 0 else {
                throw NoRunner()
            }
            return
        }
        try limit(arguments.limits)
        let readable = Self.systemFiles + Self.sharedData + Self.libraryFolders()
        landlockABI = max(0, Int(Self.withPointers(readable) { csandbox_landlock($0, folder) }))
        guard landlockABI > 0 || level == .bestEffort else {
            throw Unavailable("this system has no Landlock (Linux 5.13 or newer, lsm=landlock)")
        }
    }

    private mutating func dropPrivileges() throws(Unavailable) {
        namespaces = csandbox_isolate()
        guard namespaces >= 0 else {
            throw Unavailable(
                "user namespaces can be created but not used (allow their use, or disable them "
                    + "with sysctl user.max_user_namespaces=0)")
        }
        guard csandbox_drop_capabilities() == 0 else {
            throw Unavailable("the capabilities cannot be dropped")
        }
    }

    private var countsThreads: Bool { namespaces & Int32(CSANDBOX_USER) != 0 }

    private func limit(_ limits: RunnerLimits) throws(Unavailable) {
        func kernel(_ limit: RunnerLimits.Limit) -> csandbox_limit {
            csandbox_limit(now: limit.now, most: limit.most)
        }
        func fixed(_ value: UInt64) -> csandbox_limit { csandbox_limit(now: value, most: value) }
        var limits = csandbox_limits(
            address_space: kernel(limits.addressSpace), file_size: kernel(limits.fileSize),
            threads: kernel(limits.threads), open_files: fixed(64), locked_memory: fixed(64 << 10))
        guard csandbox_lower_limits(&limits, countsThreads ? 1 : 0) == 0 else {
            throw Unavailable("the limits cannot be set")
        }
    }

    /// Restricts all threads to the system calls of ``AllowedSystemCalls``.
    package func close() throws(Unavailable) {
        guard level != .none else { return }
        guard
            Self.withPointers(AllowedSystemCalls.names, csandbox_filter) == 0
                || level == .bestEffort
        else {
            throw Unavailable("the kernel does not accept a seccomp filter")
        }
    }

    /// The layers in force.
    package var facts: SandboxFacts {
        SandboxFacts(
            landlockABI: landlockABI, seccomp: csandbox_has_filter() == 1,
            noNewPrivileges: csandbox_has_no_new_privileges() == 1,
            namespaces: zip(
                SandboxFacts.namespaceNames, [CSANDBOX_USER, CSANDBOX_NETWORK, CSANDBOX_IPC]
            ).filter { namespaces & Int32($0.1) != 0 }.map(\.0),
            addressSpace: Self.limit(RLIMIT_AS), fileSize: Self.limit(RLIMIT_FSIZE),
            openFiles: Self.limit(RLIMIT_NOFILE),
            threads: countsThreads ? Self.limit(__RLIMIT_NPROC) : nil)
    }

    private static func limit(_ resource: __rlimit_resource) -> UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0
            ? UInt64(limit.rlim_cur) : 0
    }

    /// The files read by the dynamic loader, libvips and language run-times.
    private static let systemFiles = [
        "/usr/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom",
        "/dev/zero", "/sys/devices/system/cpu",
    ]

    /// Data that is the same for all users: fonts, the configuration and cache of Fontconfig, and lensfun's database of
    /// lenses.
    private static let sharedData = [
        "/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "/usr/share/fontconfig",
        "/var/cache/fontconfig", "/usr/share/lensfun", "/var/lib/lensfun-updates",
    ]

    /// The folders of the libraries that the runner is linked with. The Swift run-time need not be in a system
    /// folder.
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

    /// Calls a closure with a NULL-terminated array of C strings.
    private static func withPointers<Value>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let copies = strings.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer<CChar>($0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
