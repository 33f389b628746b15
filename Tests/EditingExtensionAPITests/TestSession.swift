// SPDX-License-Identifier: Apache-2.0

import EditingExtensionAPI
import FoundationEssentials
import Synchronization

/// A call of the C contract that did not return `EE_OK`.
struct TestFailure: Error, Equatable {
    var status: ee_status
    var message: String

    init(_ status: ee_status, _ error: ee_error) {
        self.status = status
        message = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// A minimal host: the C contract's table with one of its controllers.
final class TestSession {
    /// The output of an edit.
    struct Output: Sendable {
        var recipe: AdjustmentData
        var image: Image?
        var renderedContentType: String?
        var profile: String?
    }

    /// The results passed to `complete`, in order.
    let completions = Completions()
    private let table: ee_photo_editing
    private let controller: OpaquePointer?
    private let input: TestInput?
    private let completion = UnsafeMutablePointer<ee_completion>.allocate(capacity: 1)

    init(
        _ table: UnsafePointer<ee_photo_editing>, controller: OpaquePointer,
        input: TestInput? = nil, placeholder: Image? = nil
    ) throws {
        self.table = table.pointee
        self.controller = controller
        self.input = input
        completion.initialize(to: ee_completion())
        completion.pointee.struct_size = UInt32(MemoryLayout<ee_completion>.size)
        completion.pointee.host_data = Unmanaged.passUnretained(completions).toOpaque()
        completion.pointee.complete = complete
        guard let input else { return }
        var image: UnsafeMutablePointer<VipsImage>?
        var error = ee_error()
        _ = input.pointer.pointee.display_image(input.pointer, &image, &error)
        let shown = try placeholder ?? Image(taking: image.unwrapped())
        try call { self.table.start(controller, input.pointer, shown.pointer, $0) }
    }

    deinit {
        table.destroy(controller)
        completion.deallocate()
    }

    func canHandle(_ recipe: AdjustmentData) throws -> Bool {
        var answer = false
        try recipe.data.withUnsafeBytes { bytes in
            try recipe.formatIdentifier.withCString { identifier in
                try recipe.formatVersion.withCString { version in
                    var adjustment = ee_adjustment(
                        format_identifier: identifier, format_version: version,
                        data: bytes.baseAddress, size: bytes.count)
                    try call { table.can_handle(controller, &adjustment, &answer, $0) }
                }
            }
        }
        return answer
    }

    func parameters() throws -> String {
        var json: UnsafePointer<CChar>?
        try call { table.get_parameters(controller, &json, $0) }
        return String(cString: try json.unwrapped())
    }

    func set(_ json: String) throws {
        try call { table.set_parameters(controller, json, json.utf8.count, $0) }
    }

    /// Returns a preview, and the profile that the controller has set.
    ///
    /// - Parameter setsProfiles: Whether the host has `set_profile`, which was added to 1.1.
    func preview(setsProfiles: Bool) throws -> (image: Image, profile: String?) {
        Self.profile.withLock { $0 = nil }
        let image = try preview {
            guard setsProfiles else { return }
            $0.set_profile = { _, name, _ in
                TestSession.profile.withLock { $0 = name.map { String(cString: $0) } }
                return ee_status(EE_OK)
            }
        }
        return (image, Self.profile.withLock { $0 })
    }

    private static let profile = Mutex<String?>(nil)

    func preview() throws -> Image { try preview { _ in } }

    private func preview(_ change: (inout ee_preview) -> Void) throws -> Image {
        var image: UnsafeMutablePointer<VipsImage>?
        var preview = ee_preview()
        preview.struct_size = UInt32(MemoryLayout<ee_preview>.size)
        preview.host_data = input.map { UnsafeMutableRawPointer(mutating: $0.pointer) }
        preview.scale = input?.pointer.pointee.display_scale ?? 1
        preview.width = 1
        preview.height = 1
        preview.image = { preview, _, image, error in
            let input = preview?.pointee.host_data?.assumingMemoryBound(to: ee_input.self)
            return input?.pointee.display_image(input, image, error) ?? ee_status(EE_FAILED)
        }
        change(&preview)
        try call { table.render_preview(controller, &preview, &image, $0) }
        return Image(taking: try image.unwrapped())
    }

    /// Finishes an edit whose controller completes before it returns.
    func finish() throws -> Output {
        try beginFinish()
        return try completions.all.last.unwrapped().get().unwrapped()
    }

    /// Starts to finish an edit, which may complete later.
    func beginFinish() throws {
        try call { table.finish(controller, completion, $0) }
    }

    func cancel() { table.cancel(controller) }

    var asksBeforeCancel: Bool { table.should_show_cancel_confirmation(controller) }

    private func call(_ body: (UnsafeMutablePointer<ee_error>) -> ee_status) throws {
        var error = ee_error()
        let status = body(&error)
        guard status == ee_status(EE_OK) else { throw TestFailure(status, error) }
    }
}

/// The results passed to a completion.
final class Completions: Sendable {
    private let results = Mutex<[Result<TestSession.Output?, TestFailure>]>([])
    var all: [Result<TestSession.Output?, TestFailure>] { results.withLock { $0 } }
    fileprivate func append(_ result: Result<TestSession.Output?, TestFailure>) {
        results.withLock { $0.append(result) }
    }
}

private nonisolated func complete(
    _ completion: UnsafePointer<ee_completion>?, _ status: ee_status,
    _ output: UnsafePointer<ee_output>?, _ error: UnsafePointer<ee_error>?
) {
    guard let data = completion?.pointee.host_data else { return }
    let completions = Unmanaged<Completions>.fromOpaque(data).takeUnretainedValue()
    guard status == ee_status(EE_OK) else {
        return completions.append(.failure(TestFailure(status, error?.pointee ?? ee_error())))
    }
    completions.append(.success(output.map { TestSession.Output($0.pointee) }))
}

extension TestSession.Output {
    fileprivate init(_ output: ee_output) {
        let adjustment = output.adjustment
        recipe = AdjustmentData(
            formatIdentifier: String(cString: adjustment.format_identifier),
            formatVersion: String(cString: adjustment.format_version),
            data: Data(bytes: adjustment.data, count: adjustment.size))
        image = output.image.map { Image(retaining: $0) }
        renderedContentType = output.rendered_content_type.map { String(cString: $0) }
        profile = output.profile.map { String(cString: $0) }
    }
}

struct Missing: Error {}

extension Optional {
    func unwrapped() throws -> Wrapped {
        guard let self else { throw Missing() }
        return self
    }
}
