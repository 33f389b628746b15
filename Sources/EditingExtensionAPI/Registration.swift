// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Synchronization

/// The process-wide state of a loaded extension library: the host, and the controllers it creates.
///
/// The C contract's functions take no context argument, so the state is kept here. Each extension has its own copy,
/// because this module is linked into it. A library that serves several manifests is loaded once for each.
///
/// `@unchecked Sendable` is safe: everything is constant. The memory pointed to is never changed after the
/// initialiser and never freed, as the contract requires.
struct Registration: @unchecked Sendable {
    private let frameProcessor: (any FrameProcessingController.Type)?
    private let generatesFrames: Bool
    private let editsLivePhotos: Bool
    private let makeController: () -> any ContentEditingController
    private let host: UnsafePointer<ee_host>
    private let entry: UnsafePointer<ee_entry>
    /// Generates the manifest; nil if it cannot be derived from the code.
    private let makeManifest: (() throws -> String)?

    private static let current = Mutex<Registration?>(nil)

    /// The host; nil before the entry point was called.
    static var host: UnsafePointer<ee_host>? { current.withLock { $0 }?.host }

    /// Creates a controller for a new edit; nil before the entry point was called.
    static func makeController() -> (any ContentEditingController)? {
        current.withLock { $0 }?.makeController()
    }

    static func register<Controller: ContentEditingController>(
        _ controller: Controller.Type, as identity: (identifier: String, version: String),
        host: UnsafePointer<ee_host>
    ) -> UnsafePointer<ee_entry> {
        var entry = ee_entry()
        entry.struct_size = UInt32(MemoryLayout<ee_entry>.size)
        entry.abi_major = UInt32(EE_ABI_MAJOR)
        entry.abi_minor = UInt32(EE_ABI_MINOR)
        entry.identifier = permanentText(identity.identifier)
        entry.version = permanentText(identity.version)
        entry.get_capability = getCapability
        let registration = Registration(
            frameProcessor: controller as? any FrameProcessingController.Type,
            generatesFrames: controller is any VideoEditingController.Type,
            editsLivePhotos: controller is any LivePhotoEditingController.Type,
            makeController: { Controller() }, host: host, entry: permanent(entry),
            makeManifest: (controller as? any DescribedController.Type)?.manifest)
        current.withLock { $0 = registration }
        return registration.entry
    }

    /// Whether the controllers edit videos frame by frame.
    static var processesFrames: Bool { current.withLock { $0 }?.frameProcessor != nil }

    /// Whether the controllers produce the frames of videos themselves.
    static var generatesFrames: Bool { current.withLock { $0 }?.generatesFrames == true }

    /// Whether the controllers distinguish the video of a Live Photo from its still.
    static var editsLivePhotos: Bool { current.withLock { $0 }?.editsLivePhotos == true }

    /// Computes the part of a video that a recipe keeps from the recipe and the duration in seconds. Nil if the
    /// extension edits no videos.
    static var keptTime: ((AdjustmentData, Double) throws -> KeptTime?)? {
        guard let processor = current.withLock({ $0 })?.frameProcessor else { return nil }
        return { try processor.keptTime($0, ofDuration: $1) }
    }

    /// Whether the manifest can be generated from the code.
    static var isDescribed: Bool { current.withLock { $0 }?.makeManifest != nil }

    /// Returns the generated manifest as JSON, without the name of the library. It lives as long as the process.
    /// Returns nil if it cannot be derived from the code; an error is logged.
    static func manifest() -> UnsafePointer<CChar>? {
        guard let registration = current.withLock({ $0 }) else { return nil }
        do {
            return try registration.makeManifest.flatMap { permanentText(try $0()) }
        } catch {
            registration.host.pointee.log(registration.host, "no manifest can be made: \(error)")
            return nil
        }
    }

    /// Returns the host's capability with an identifier; nil if the host lacks it, or if its structure is too short.
    static func capability<Structure>(
        _ id: String, as type: Structure.Type, minimum: Int
    ) -> Structure? {
        guard let host, let structure = host.pointee.get_capability(host, id) else { return nil }
        return growingStructure(at: structure, as: type, minimum: minimum)
    }

    /// Copies a value to memory that is never freed.
    static func permanent<Value>(_ value: Value) -> UnsafePointer<Value> {
        let pointer = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        pointer.initialize(to: value)
        return UnsafePointer(pointer)
    }

    private static func permanentText(_ text: String) -> UnsafePointer<CChar>? {
        text.utf8CString.withUnsafeBufferPointer { characters in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
            _ = copy.initialize(from: characters)
            return UnsafePointer(copy.baseAddress)
        }
    }
}

/// Implements `ee_entry.get_capability`.
private nonisolated func getCapability(_ id: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
    switch String(optional: id) {
    case EE_CAPABILITY_PHOTO_EDITING: UnsafeRawPointer(PhotoEditingCapability.shared.table)
    case EE_CAPABILITY_MANIFEST where Registration.isDescribed:
        UnsafeRawPointer(ManifestCapability.shared.table)
    case EE_CAPABILITY_FRAME_PROCESSOR where Registration.processesFrames:
        UnsafeRawPointer(FrameProcessorCapability.shared.table)
    case EE_CAPABILITY_TIME_RANGE where Registration.processesFrames:
        UnsafeRawPointer(TimeRangeCapability.shared.table)
    case EE_CAPABILITY_VIDEO_EDITING where Registration.generatesFrames:
        UnsafeRawPointer(VideoEditingCapability.shared.table)
    case EE_CAPABILITY_LIVE_PHOTO_EDITING where Registration.editsLivePhotos:
        UnsafeRawPointer(LivePhotoEditingCapability.shared.table)
    case EE_CAPABILITY_EVENTS: MainQueueEvents.shared.map { UnsafeRawPointer($0.table) }
    default: nil
    }
}
