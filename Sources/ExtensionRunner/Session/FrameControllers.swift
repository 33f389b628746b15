// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol
import Vips

/// The controllers of a sequence of frames, by the index of their step. Used on the session's thread.
///
/// `@unchecked Sendable` is safe: `EditPipeline` ensures that only that thread accesses it.
final class FrameControllers: @unchecked Sendable {
    private var started: [Int: Controller] = [:]
    /// The range that each step keeps, empty if unknown.
    var ranges: [KeptRange] = []

    /// Returns the identity of a frame in the input of a step. Edits above a trimmed video see the trimmed timeline.
    func moment(_ moment: FrameIdentity, of index: Int) -> FrameIdentity {
        guard ranges.indices.contains(index - 1) else { return moment }
        return FrameIdentity(ranges[index - 1].timing, moment.time)
    }

    /// Whether a step returns its frames unchanged.
    func leavesFrames(_ index: Int) -> Bool {
        ranges.indices.contains(index) && ranges[index].leavesFrames
    }

    /// Returns the controller of a step and starts it for the first frame.
    func controller(
        of index: Int, _ start: () throws(RunnerFailure) -> Controller
    ) throws(RunnerFailure) -> Controller {
        if let known = started[index] { return known }
        let controller = try start()
        started[index] = controller
        return controller
    }

    /// Returns the controller of the only step.
    ///
    /// - Throws: `badRequest` if no frame has been put yet.
    func onlyController() throws(RunnerFailure) -> Controller {
        guard let controller = started[0], started.count == 1 else {
            throw RunnerFailure(code: .badRequest, message: "no frame has been put yet")
        }
        return controller
    }

    /// Finishes all controllers in the order of their steps and discards their output.
    func finish() throws(RunnerFailure) {
        for (_, controller) in started.sorted(by: { $0.key < $1.key }) {
            _ = try controller.finish()
        }
    }

    /// Destroys all controllers, the last step's first.
    func destroy() {
        for (_, controller) in started.sorted(by: { $0.key > $1.key }) { controller.destroy() }
        started = [:]
    }
}
