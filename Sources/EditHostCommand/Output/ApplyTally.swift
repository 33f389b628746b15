// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput
import Synchronization

/// Counts and prints the files that `apply` renders.
final class ApplyTally: Sendable {
    private struct Counts {
        var statuses: [AppliedFile.Status: Int] = [:]
        var leftVideos = 0
    }

    private let counts = Mutex(Counts())
    private let batch: BatchRun
    private let keepsGoing: Bool
    private let isDryRun: Bool
    private var output: CommandOutput { batch.output }

    /// - Parameter keepsGoing: `false` ends the command at the first failure.
    init(_ batch: BatchRun, keepsGoing: Bool, isDryRun: Bool) {
        (self.batch, self.keepsGoing, self.isDryRun) = (batch, keepsGoing, isDryRun)
    }

    /// Counts and prints a file.
    ///
    /// - Throws: `CommandEnd` after a failure, unless the command keeps going.
    func add(_ file: AppliedFile) throws {
        if file.status == .failed, let error = file.error {
            guard try batch.fail(file.path, error, Self.row(file)), !keepsGoing else { return }
            throw stop(after: error)
        }
        try output.printJSON(Self.row(file))
        switch file.status {
        case .written: try output.printText(isDryRun ? [file.path] : file.files)
        case .skipped: output.message("\(file.path): skipped\(file.error.map { ": \($0)" } ?? "")")
        case .present, .failed: break
        }
        for warning in file.warnings { output.message("\(file.path): \(warning)") }
        batch.finish(file.path, isKept: file.status == .written)
        counts.withLock { counts in
            counts.statuses[file.status, default: 0] += 1
            if file.isLeftVideo { counts.leftVideos += 1 }
        }
    }

    private func stop(after error: any Error) -> CommandEnd {
        let left = output.progress.left ?? 0
        let advice = "; use --keep-going to continue after failures"
        return CommandEnd(
            status: ExitStatus(failures: [error], of: batch.keptCount + 1),
            message: left > 0
                ? "stopped after a failure: \(batch.keptCount) written, \(left) left\(advice)" : nil
        )
    }

    private static func row(_ file: AppliedFile) -> JSONRow {
        [
            "path": file.path, "pathBytes": file.path.undecodedBytes,
            "status": file.status.rawValue,
            "files": file.files, "error": file.error.map(ExitStatus.words),
        ]
    }

    /// Prints the summary.
    ///
    /// - Throws: `CommandEnd` with the status of the failures, if there are any.
    func end() throws {
        let counts = counts.withLock { $0 }
        if isDryRun {
            output.message("dry run: nothing was written")
        } else if let present = counts.statuses[.present] {
            output.message("\(counts.statuses[.written] ?? 0) written, \(present) unchanged")
        }
        if counts.leftVideos > 0 {
            output.message(ExportedPictures.message(leftVideos: counts.leftVideos))
        }
        if batch.isEmpty { output.message("no files found") }
        try batch.end()
    }
}
