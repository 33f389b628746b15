// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import FileAccess
import FoundationEssentials
import Glibc
import RunnerProtocol
import RunnerSupport
import Synchronization

/// A loaded extension. It is never unloaded, because its code may run on any thread.
final class ExtensionLibrary: Sendable {
    /// The description from the host.
    let description: LoadedExtension
    /// The photo editing functions; `nil` if the extension has only other capabilities.
    private let photoEditing: EditingCalls?
    /// The function that processes video frames; `nil` if there is none.
    private let frames: FrameCalls?
    /// The functions that generate video frames; `nil` if there are none.
    private let video: VideoCalls?
    /// The function for the videos of Live Photos; `nil` to treat them like other videos.
    let livePhoto: LivePhotoCalls?
    /// The function that trims videos; `nil` if there is none.
    let range: KeptRangeCalls?
    /// The event loop; `nil` if there is none.
    let events: EventLoop?
    /// The ids of the supported capabilities that the extension offers.
    private let offered: [String]
    /// The function that generates the manifest; `nil` if there is none.
    private let makeManifest: ManifestCall?
    /// The host services passed to the extension.
    let host: HostServices

    /// The identifier of the extension.
    var identifier: String { description.identifier }

    /// Loads a library from sealed memory and verifies its identity.
    ///
    /// - Throws: `badExtension`, or `badRequest` if a file is missing.
    init(
        _ description: LoadedExtension, library: OpenFile, files: OpenFile?, runtime: Runtime
    ) throws(RunnerFailure) {
        self.description = description
        host = HostServices(
            description, files: try LoadedFiles(description.files ?? [], files),
            connection: runtime.connection)
        let handle = try Self.open(
            description.path ?? Self.path(of: library), description.identifier)
        let entry = try Self.entry(handle, library, host, description.identifier, runtime)
        if description.isUnknown != true { try Self.check(entry, against: description) }
        let known = ExtensionCapability.allCases.map(\.identifier)
        offered = known.filter { entry.get_capability?($0) != nil }
        guard !offered.isEmpty else {
            throw Self.bad(
                "get_capability returns NULL for every capability that this host supports: "
                    + known.joined(separator: ", ") + "; return at least one",
                description.identifier)
        }
        photoEditing = try Self.capability(
            EE_CAPABILITY_PHOTO_EDITING, of: entry, description.identifier, EditingCalls.init)
        frames = try Self.capability(
            EE_CAPABILITY_FRAME_PROCESSOR, of: entry, description.identifier, FrameCalls.init)
        video = try Self.capability(
            EE_CAPABILITY_VIDEO_EDITING, of: entry, description.identifier, VideoCalls.init)
        livePhoto = try Self.capability(
            EE_CAPABILITY_LIVE_PHOTO_EDITING, of: entry, description.identifier,
            LivePhotoCalls.init)
        range = try Self.capability(
            EE_CAPABILITY_TIME_RANGE, of: entry, description.identifier, KeptRangeCalls.init)
        makeManifest =
            entry.get_capability?(EE_CAPABILITY_MANIFEST).flatMap {
                growingStructure(
                    at: $0, as: ee_manifest.self, minimum: Int(EE_MANIFEST_SIZE_1_0))
            }?.json
        events = entry.get_capability?(EE_CAPABILITY_EVENTS).flatMap { EventLoop($0) }
    }

    private typealias ManifestCall = @convention(c) () -> UnsafePointer<CChar>?

    /// Returns the manifest that the extension generates; `nil` if it cannot.
    ///
    /// - Throws: `badExtension` if it is too long.
    func manifest() throws(RunnerFailure) -> Data? {
        guard let json = makeManifest?() else { return nil }
        let limit = ExtensionManifest.maximumSize
        guard let text = String(bounded: json, limit: limit + 1), text.utf8.count <= limit else {
            throw Self.bad("its manifest is longer than 1 MiB, or not text", identifier)
        }
        return Data(text.utf8)
    }

    /// Returns the functions of a capability; `nil` if the extension does not offer it.
    private static func capability<Calls>(
        _ id: String, of entry: ee_entry, _ identifier: String,
        _ make: (UnsafeRawPointer) throws(EditingCalls.Unusable) -> Calls
    ) throws(RunnerFailure) -> Calls? {
        guard let capability = entry.get_capability?(id) else { return nil }
        do {
            return try make(capability)
        } catch {
            throw bad("its capability \(id) \(error.reason)", identifier)
        }
    }

    /// Returns the photo editing functions.
    ///
    /// - Throws: `badExtension` if there are none.
    func photoEditingCalls() throws(RunnerFailure) -> EditingCalls {
        guard let photoEditing else {
            throw Self.bad(
                "it cannot edit photos: it offers \(offered.joined(separator: ", ")) but "
                    + "not "
                    + EE_CAPABILITY_PHOTO_EDITING,
                identifier)
        }
        return photoEditing
    }

    /// The kinds of video editing.
    enum VideoEditing {
        /// Each frame is processed on its own.
        case frames(FrameCalls)
        /// The extension generates frames.
        case whole(VideoCalls)
    }

    /// Returns the functions for videos.
    ///
    /// - Parameter isSingle: Whether a single frame is processed, without its neighbours.
    /// - Throws: `badExtension` if there are none.
    func videoEditing(isSingle: Bool = false) throws(RunnerFailure) -> VideoEditing {
        if let frames, isSingle || video == nil { return .frames(frames) }
        guard let video else {
            throw Self.bad(
                "it cannot edit videos, although its manifest says so: it offers neither "
                    + "\(EE_CAPABILITY_FRAME_PROCESSOR) nor \(EE_CAPABILITY_VIDEO_EDITING)",
                identifier)
        }
        return .whole(video)
    }

    /// Whether the extension generates video frames.
    var generatesFrames: Bool { video != nil }

    private static let loads = Mutex(0)

    /// Returns a path of a library in sealed memory. See docs/design/decisions/0003-sealed-extensions.md.
    private static func path(of library: OpenFile) -> String {
        // The loader identifies libraries by path, and descriptor numbers are reused. Therefore each load uses a
        // unique spelling of the path.
        let spelling = String(
            repeating: "./",
            count: loads.withLock { loads in
                loads += 1
                return loads
            })
        return "/proc/self/fd/\(spelling)\(library.descriptor)"
    }

    private static func open(
        _ path: String, _ identifier: String
    ) throws(RunnerFailure) -> UnsafeMutableRawPointer {
        // Decision 4: RTLD_LOCAL, because every library in Swift links its own runtime statically.
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = String(bounded: dlerror(), limit: 2048) ?? "no reason given"
            let readable = reason.split(separator: path, omittingEmptySubsequences: false)
                .joined(separator: "the library")
            // Symbols are resolved here, not when the library is built.
            let advice =
                readable.contains("undefined symbol")
                ? "; link the library that defines it with -l, and build with "
                    + "-Wl,--no-undefined to get an error at build time" : ""
            throw bad("cannot be loaded: \(abbreviated(readable))\(advice)", identifier)
        }
        return handle
    }

    private static func entry(
        _ handle: UnsafeMutableRawPointer, _ library: OpenFile, _ host: HostServices,
        _ identifier: String, _ runtime: Runtime
    ) throws(RunnerFailure) -> ee_entry {
        typealias Entry = @convention(c) (UnsafePointer<ee_host>?) -> UnsafePointer<ee_entry>?
        let name = "editing_extension_entry"
        guard let symbol = dlsym(handle, name) else {
            let similar = SimilarSymbol(in: library)?.hint(for: name) ?? ""
            throw bad("the library has no symbol \(name)\(similar)", identifier)
        }
        let call = RunnerPhase.calling(extensionIdentifier: identifier, call: name)
        let returned = runtime.phases.during(call) {
            unsafeBitCast(symbol, to: Entry.self)(host.pointer)
        }
        guard let entry = returned else {
            throw bad(
                "\(name) returned NULL: it cannot run in this host; return an ee_entry, or log the "
                    + "reason with the host's log", identifier)
        }
        let raw = UnsafeRawPointer(entry)
        // The version is read first, because a later one may have moved everything else.
        guard raw.loadUnaligned(as: UInt32.self) >= 8 else {
            throw bad("the struct_size of its ee_entry is too small", identifier)
        }
        let major = raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        guard major == EE_ABI_MAJOR else {
            throw bad(
                "its library was built for version \(major) of the contract with extensions; this "
                    + "host supports \(EE_ABI_MAJOR).\(EE_ABI_MINOR); update edithost, or build it "
                    + "with this host's header and EE_ABI_MAJOR", identifier)
        }
        let minimum = Int(EE_ENTRY_SIZE_1_0)
        guard let entry = growingStructure(at: raw, as: ee_entry.self, minimum: minimum) else {
            let size = raw.loadUnaligned(as: UInt32.self)
            throw bad(
                "its ee_entry has a struct_size of \(size), less than the \(minimum) of 1.0",
                identifier)
        }
        guard entry.get_capability != nil else {
            throw bad("its ee_entry has no function get_capability", identifier)
        }
        return entry
    }

    private static func check(
        _ entry: ee_entry, against description: LoadedExtension
    ) throws(RunnerFailure) {
        let expected = description.identifier
        let found = String(bounded: entry.identifier, limit: 256) ?? "nothing"
        guard found == expected else {
            throw bad(
                "the identifier in the library is \(found), but in its manifest \(expected); make "
                    + "them equal", expected)
        }
        let version = String(bounded: entry.version, limit: 256) ?? "nothing"
        guard version == description.version else {
            throw bad(
                "the version in the library is \(version), but in its manifest "
                    + "\(description.version); make them equal", expected)
        }
        guard let minor = description.abiMinor, minor > entry.abi_minor else { return }
        let major = entry.abi_major
        throw bad(
            "its library was built for version \(major).\(entry.abi_minor) of the contract with "
                + "extensions, but its manifest says \(major).\(minor); correct \"abi\" in the "
                + "manifest", expected)
    }

    private static func bad(_ message: String, _ identifier: String) -> RunnerFailure {
        RunnerFailure(code: .badExtension, message: message, extensionIdentifier: identifier)
    }
}
