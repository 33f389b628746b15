// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingValues

/// The capability `ee_time_range`, which reports the part of a video that a recipe keeps.
///
/// `@unchecked Sendable` is safe: the memory pointed to is never changed and never freed.
struct TimeRangeCapability: @unchecked Sendable {
    static let shared = TimeRangeCapability()

    let table: UnsafePointer<ee_time_range>

    private init() {
        var table = ee_time_range()
        table.struct_size = UInt32(MemoryLayout<ee_time_range>.size)
        table.narrow = narrow
        self.table = Registration.permanent(table)
    }
}

/// Implements `ee_time_range.narrow`.
private nonisolated func narrow(
    _ recipe: UnsafePointer<ee_adjustment>?, _ range: UnsafeMutablePointer<ee_range>?,
    _ error: UnsafeMutablePointer<ee_error>?
) -> ee_status {
    do {
        guard let recipe, let range, range.pointee.struct_size >= UInt32(EE_RANGE_SIZE_1_1),
            range.pointee.timescale > 0, let keptTime = Registration.keptTime
        else {
            throw EditingExtensionError(code: .failed, message: "no range, or a short one")
        }
        let scale = Double(range.pointee.timescale)
        let end = range.pointee.end
        guard
            let keptPart = try keptTime(AdjustmentData(recipe.pointee), Double(end) / scale)
        else { return ee_status(EE_OK) }
        let (first, last) = ((keptPart.start * scale).rounded(), (keptPart.end * scale).rounded())
        guard first >= 0, first < last, first < Double(end) else {
            throw EditingExtensionError(
                code: .badParameter,
                message: "no part of the video is kept; it lasts \(Double(end) / scale) s")
        }
        range.pointee.start = Int64(first)
        range.pointee.end = last < Double(end) ? Int64(last) : end
        range.pointee.leaves_frames = keptPart.leavesFrames ? 1 : 0
        return ee_status(EE_OK)
    } catch let failure {
        return EditingExtensionError(failure).write(to: error)
    }
}
