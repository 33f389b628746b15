// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import FoundationEssentials
import Vips

/// The function table `ee_photo_editing`. Each function forwards to the controller behind its pointer.
///
/// `@unchecked Sendable` is safe: the table is never changed and never freed.
struct PhotoEditingCapability: @unchecked Sendable {
    static let shared = PhotoEditingCapability()

    let table: UnsafePointer<ee_photo_editing>

    private init() {
        var table = ee_photo_editing()
        table.struct_size = UInt32(MemoryLayout<ee_photo_editing>.size)
        table.create = create
        table.destroy = destroy
        table.can_handle = canHandle
        table.start = start
        table.get_parameters = getParameters
        table.set_parameters = setParameters
        table.render_preview = renderPreview
        table.finish = finish
        table.cancel = cancel
        table.should_show_cancel_confirmation = shouldShowCancelConfirmation
        self.table = Registration.permanent(table)
    }
}

/// Returns the controller behind a pointer returned by `create`.
nonisolated func box(_ controller: OpaquePointer?) -> ContractController? {
    controller.map {
        Unmanaged<ContractController>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue()
    }
}

/// Calls a closure with a controller and converts a thrown error to a status and a message.
nonisolated func answer(
    _ controller: OpaquePointer?, _ error: UnsafeMutablePointer<ee_error>?,
    _ body: (ContractController) throws -> Void
) -> ee_status {
    guard let box = box(controller) else {
        return EditingExtensionError(code: .failed, message: "no controller").write(to: error)
    }
    do {
        try body(box)
        return ee_status(EE_OK)
    } catch let failure {
        return EditingExtensionError(failure).write(to: error)
    }
}

private nonisolated func create(
    _ host: UnsafePointer<ee_host>?, _ controller: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    guard let made = Registration.makeController() else {
        return EditingExtensionError(
            code: .failed,
            message: "the extension was asked for a controller before its entry point was called"
        ).write(to: error)
    }
    controller?.pointee = OpaquePointer(Unmanaged.passRetained(ContractController(made)).toOpaque())
    return ee_status(EE_OK)
}

private nonisolated func destroy(_ controller: OpaquePointer?) {
    guard let controller else { return }
    Unmanaged<ContractController>.fromOpaque(UnsafeRawPointer(controller)).release()
}

private nonisolated func canHandle(
    _ controller: OpaquePointer?, _ adjustment: UnsafePointer<ee_adjustment>?,
    _ result: UnsafeMutablePointer<Bool>?, _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        guard let adjustment else { return }
        result?.pointee = box.controller.canHandle(AdjustmentData(adjustment.pointee))
    }
}

private nonisolated func start(
    _ controller: OpaquePointer?, _ input: UnsafePointer<ee_input>?,
    _ placeholder: UnsafeMutablePointer<VipsImage>?, _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        guard let input, let placeholder else {
            throw EditingExtensionError(code: .failed, message: "no input or no placeholder")
        }
        try box.start(input, placeholder: Image(retaining: placeholder))
    }
}

private nonisolated func getParameters(
    _ controller: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { json?.pointee = try $0.parameters() }
}

private nonisolated func setParameters(
    _ controller: OpaquePointer?, _ json: UnsafePointer<CChar>?, _ size: Int,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        let data = json.map { Data(bytes: $0, count: size) } ?? Data()
        let values: [String: ParameterValue]
        do {
            values = try JSONDecoder().decode([String: ParameterValue].self, from: data)
        } catch {
            let problem = (error as? DecodingError)?.text ?? "\(error)"
            throw EditingExtensionError(
                code: .badParameter,
                message: "the parameters are not a JSON object of values: \(problem)")
        }
        try box.controller.setParameters(values)
    }
}

private nonisolated func renderPreview(
    _ controller: OpaquePointer?, _ preview: UnsafePointer<ee_preview>?,
    _ image: UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        let request = try PreviewRequest(preview)
        image?.pointee = try box.controller.renderPreview(request).passRetained()
    }
}

private nonisolated func finish(
    _ controller: OpaquePointer?, _ completion: UnsafePointer<ee_completion>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    answer(controller, error) { box in
        guard let completion, completion.pointee.struct_size >= UInt32(EE_COMPLETION_SIZE_1_0)
        else {
            throw EditingExtensionError(code: .failed, message: "no completion, or a short one")
        }
        try box.finish(completion)
    }
}

private nonisolated func cancel(_ controller: OpaquePointer?) { box(controller)?.cancel() }

private nonisolated func shouldShowCancelConfirmation(_ controller: OpaquePointer?) -> Bool {
    box(controller)?.controller.shouldShowCancelConfirmation ?? false
}
