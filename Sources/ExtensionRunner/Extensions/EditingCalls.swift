// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import Vips

/// The functions of an extension's photo editing capability, all non-null.
///
/// `@unchecked Sendable` is safe: function pointers into a library that is never unloaded.
struct EditingCalls: @unchecked Sendable {
    typealias Table = ee_photo_editing

    private let table: Table

    /// - Throws: `Unusable` if the structure is too small or a function is missing.
    init(_ capability: UnsafeRawPointer) throws(Unusable) {
        let minimum = Int(EE_PHOTO_EDITING_SIZE_1_0)
        guard let table = growingStructure(at: capability, as: Table.self, minimum: minimum) else {
            let size = capability.loadUnaligned(as: UInt32.self)
            throw Unusable(
                reason: "has a struct_size of \(size), less than the \(minimum) of 1.0")
        }
        if let name = Self.firstMissing(table) { throw Unusable(reason: "has no function \(name)") }
        self.table = table
    }

    /// The error of an invalid structure, with a reason that completes a sentence about it.
    struct Unusable: Error {
        let reason: String
    }

    private static func firstMissing(_ table: Table) -> String? {
        let members: [(String, Bool)] = [
            ("create", table.create != nil), ("destroy", table.destroy != nil),
            ("can_handle", table.can_handle != nil), ("start", table.start != nil),
            ("get_parameters", table.get_parameters != nil),
            ("set_parameters", table.set_parameters != nil),
            ("render_preview", table.render_preview != nil), ("finish", table.finish != nil),
            ("cancel", table.cancel != nil),
            (
                "should_show_cancel_confirmation",
                table.should_show_cancel_confirmation != nil
            ),
        ]
        return members.first { !$0.1 }?.0
    }

    // The status for a missing function. It cannot occur after the check in `init`.
    private static let unsupported = ee_status(EE_UNSUPPORTED)

    func create(
        _ host: UnsafePointer<ee_host>, _ controller: UnsafeMutablePointer<OpaquePointer?>,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status { table.create?(host, controller, error) ?? Self.unsupported }

    func destroy(_ controller: OpaquePointer) { table.destroy?(controller) }

    func canHandle(
        _ controller: OpaquePointer, _ adjustment: UnsafePointer<ee_adjustment>,
        _ answer: UnsafeMutablePointer<Bool>, _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status { table.can_handle?(controller, adjustment, answer, error) ?? Self.unsupported }

    func start(
        _ controller: OpaquePointer, _ input: UnsafePointer<ee_input>, _ placeholder: Image,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status {
        table.start?(controller, input, placeholder.pointer, error) ?? Self.unsupported
    }

    /// Renders a preview. The image is `nil` if the extension returned none.
    func renderPreview(
        _ controller: OpaquePointer, _ preview: UnsafePointer<ee_preview>,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> (ee_status, Image?) {
        guard let call = table.render_preview else { return (Self.unsupported, nil) }
        var image = Image?.none?.pointer
        let status = call(controller, preview, &image, error)
        return (status, image.map { Image(taking: $0) })
    }

    func getParameters(
        _ controller: OpaquePointer, _ json: UnsafeMutablePointer<UnsafePointer<CChar>?>,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status { table.get_parameters?(controller, json, error) ?? Self.unsupported }

    func setParameters(
        _ controller: OpaquePointer, _ json: UnsafePointer<CChar>, _ size: Int,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status { table.set_parameters?(controller, json, size, error) ?? Self.unsupported }

    func finish(
        _ controller: OpaquePointer, _ completion: UnsafePointer<ee_completion>,
        _ error: UnsafeMutablePointer<ee_error>
    ) -> ee_status { table.finish?(controller, completion, error) ?? Self.unsupported }

    func cancel(_ controller: OpaquePointer) { table.cancel?(controller) }

    func shouldShowCancelConfirmation(_ controller: OpaquePointer) -> Bool {
        table.should_show_cancel_confirmation?(controller) ?? false
    }
}
