// SPDX-License-Identifier: Apache-2.0

import CEditingExtension
import EditingModel
import RunnerProtocol

/// The function of an extension that trims videos.
///
/// `@unchecked Sendable` is safe: a function pointer into a library that is never unloaded.
struct KeptRangeCalls: @unchecked Sendable {
    private let table: ee_time_range

    /// - Throws: `Unusable` if the structure is too small or the function is missing.
    init(_ capability: UnsafeRawPointer) throws(EditingCalls.Unusable) {
        let minimum = Int(EE_TIME_RANGE_SIZE_1_1)
        guard
            let table = growingStructure(
                at: capability, as: ee_time_range.self, minimum: minimum)
        else {
            let size = capability.loadUnaligned(as: UInt32.self)
            throw EditingCalls.Unusable(
                reason: "has a struct_size of \(size), less than the \(minimum) of 1.1")
        }
        guard table.narrow != nil else {
            throw EditingCalls.Unusable(reason: "has no function narrow")
        }
        self.table = table
    }

    /// Returns the range of a video that a recipe keeps, and whether it leaves the frames unchanged.
    ///
    /// - Throws: `extensionFailed` if the range is invalid, otherwise the failure of the extension.
    func range(
        of recipe: AdjustmentData, in timing: FrameTiming, _ identifier: String
    ) throws(RunnerFailure) -> KeptRange {
        var range = ee_range()
        range.struct_size = UInt32(MemoryLayout<ee_range>.size)
        let whole = FrameIdentity(timing, FrameTime(timestamp: timing.start))
        (range.end, range.timescale) = (whole.contractDuration, whole.contractTimescale)
        var error = ee_error()
        let adjustment = ContractAdjustment(recipe)
        let status = table.narrow(adjustment.pointer, &range, &error)
        withExtendedLifetime(adjustment) {}
        guard status == EE_OK else { throw RunnerFailure(status, error, "narrow", identifier) }
        guard range.start >= 0, range.end > range.start, range.end <= whole.contractDuration else {
            throw RunnerFailure(
                code: .extensionFailed,
                message: "it keeps a range outside the video: \(range.start) to \(range.end) "
                    + "of \(whole.contractDuration)", extensionIdentifier: identifier)
        }
        // The units of the contract are at least as fine as those of the file.
        let unit = Int64(max(1, timing.numerator))
        var part = timing
        part.start = timing.start &+ (range.start + unit / 2) / unit
        part.duration = max(1, (range.end + unit / 2) / unit - (range.start + unit / 2) / unit)
        return KeptRange(timing: part, leavesFrames: range.leaves_frames == 1)
    }
}
