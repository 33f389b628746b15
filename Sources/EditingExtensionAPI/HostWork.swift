// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues
import Vips

/// The host's optional capability `ee_work` for long-running work, bound to one input.
///
/// `@unchecked Sendable` is safe: it holds function pointers of the host, which may be called on any thread.
struct HostWork: @unchecked Sendable {
    private let input: UnsafePointer<ee_input>
    private let work: ee_work

    /// Returns nil if the host lacks the capability.
    init?(_ input: UnsafePointer<ee_input>) {
        guard
            let work = Registration.capability(
                EE_CAPABILITY_WORK, as: ee_work.self, minimum: Int(EE_WORK_SIZE_1_0))
        else { return nil }
        self.input = input
        self.work = work
    }

    var isCancelled: Bool { work.is_cancelled(input) }

    func report(_ fraction: Double) { work.report_progress(input, fraction) }

    var threadCount: Int { max(1, Int(work.thread_count(input))) }

    func temporarySpace() throws -> (path: String, limit: UInt64) {
        var path: UnsafePointer<CChar>?
        var limit: UInt64 = 0
        var error = ee_error()
        let status = work.temporary_space(input, &path, &limit, &error)
        if let error = EditingExtensionError(status: status, error) { throw error }
        guard let path = String(optional: path) else {
            throw EditingExtensionError(code: .failed, message: "the host gave no path")
        }
        return (path, limit)
    }
}
