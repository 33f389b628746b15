// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import Foundation
import Glibc

/// An extension's library, loaded as the host's runner loads it.
struct TestPlugin: @unchecked Sendable {
    // `@unchecked Sendable` is safe: an entry points to constants that are never freed.
    let identifier: String
    let version: String
    private let table: UnsafePointer<ee_photo_editing>

    static let sepia = Result { try TestPlugin(path: buildFolder + "libSepiaFilter.so") }
    static let cropRotate = Result { try TestPlugin(path: buildFolder + "libCropRotate.so") }
    static let lightAndColor = Result { try TestPlugin(path: buildFolder + "libLightAndColor.so") }
    static let detail = Result { try TestPlugin(path: buildFolder + "libDetail.so") }
    static let retouch = Result { try TestPlugin(path: buildFolder + "libRetouch.so") }
    static let colorMixer = Result { try TestPlugin(path: buildFolder + "libColorMixer.so") }
    static let borders = Result { try TestPlugin(path: buildFolder + "libBorders.so") }
    static let vignette = Result { try TestPlugin(path: buildFolder + "libVignette.so") }
    static let watermark = Result { try TestPlugin(path: buildFolder + "libWatermark.so") }

    struct LoadFailure: Error { var message: String }

    static let invert = Result {
        try builtExample("InvertC", "Invert.editingextension/libinvert.so")
    }

    private init(path: String) throws {
        try VipsLibrary.initialize()
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw LoadFailure(message: dlerror().map { String(cString: $0) } ?? path)
        }
        typealias Entry = @convention(c) (UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>?
        let symbol = try dlsym(handle, "editing_extension_entry").unwrapped()
        let entry = try unsafeBitCast(symbol, to: Entry.self)(TestHost.pointer).unwrapped().pointee
        identifier = String(cString: entry.identifier)
        version = String(cString: entry.version)
        let capability = try entry.get_capability(EE_CAPABILITY_PHOTO_EDITING).unwrapped()
        table = capability.assumingMemoryBound(to: ee_photo_editing.self)
        guard entry.get_capability(EE_CAPABILITY_VIDEO_EDITING) == nil else { throw Missing() }
    }

    /// Creates a new edit.
    func session(_ input: TestInput? = nil) throws -> TestSession {
        var controller: OpaquePointer?
        var error = ee_error()
        let status = table.pointee.create(TestHost.pointer, &controller, &error)
        guard status == ee_status(EE_OK) else { throw TestFailure(status, error) }
        return try TestSession(table, controller: controller.unwrapped(), input: input)
    }

    /// The output image of a new edit with these parameters.
    func edit(_ image: Image, _ parameters: String) throws -> Image {
        let session = try session(TestInput(image))
        try session.set(parameters)
        let result = try session.finish().image.unwrapped()
        // The pixels must be computed before the session ends here.
        return try result.copiedToMemory()
    }

    /// Builds an example with `make`, as its reader would, in a temporary folder, and loads it.
    private static func builtExample(_ name: String, _ library: String) throws -> TestPlugin {
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Examples/\(name)").path(percentEncoded: false)
        let output = FileManager.default.temporaryDirectory
            .appending(path: "edithost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        // A loaded library stays in memory without its file.
        defer { try? FileManager.default.removeItem(at: output) }
        let make = Process()
        make.executableURL = URL(filePath: "/usr/bin/env")
        let folder = output.path(percentEncoded: false)
        make.arguments = ["make", "--silent", "-C", source, "OUTPUT=\(folder)"]
        try make.run()
        make.waitUntilExit()
        guard make.terminationStatus == 0 else { throw LoadFailure(message: "make failed") }
        return try TestPlugin(path: folder + "/" + library)
    }

    /// The build folder, with this test and the libraries.
    private static var buildFolder: String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let length = max(readlink("/proc/self/exe", &buffer, buffer.count - 1), 0)
        let path = String(
            decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex))
    }
}

/// A host that offers no services.
enum TestHost {
    /// `nonisolated(unsafe)` is safe: never changed.
    nonisolated(unsafe) static let pointer: UnsafePointer<ee_host> = {
        let host = UnsafeMutablePointer<ee_host>.allocate(capacity: 1)
        host.initialize(to: ee_host())
        host.pointee.struct_size = UInt32(MemoryLayout<ee_host>.size)
        host.pointee.abi_major = UInt32(EE_ABI_MAJOR)
        host.pointee.abi_minor = UInt32(EE_ABI_MINOR)
        host.pointee.identifier = UnsafePointer(strdup("org.example.host"))
        host.pointee.version = UnsafePointer(strdup("1.0"))
        host.pointee.log = { _, _ in }
        host.pointee.get_capability = { _, _ in nil }
        return UnsafePointer(host)
    }()
}
