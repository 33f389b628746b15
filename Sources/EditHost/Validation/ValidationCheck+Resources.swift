// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

/// Checks of memory and time.
extension ValidationCheck {
    static let resourceChecks: [ValidationCheck] = [
        ValidationCheck(
            "budget",
            "A picture of 3 megapixels is edited with 512 MiB of memory and 30 seconds of processor "
                + "time; large pictures would exceed the standard budget otherwise.",
            requires: ["finish", "parameter-changes"]
        ) { context in
            try await context.withExtension({ configuration in
                configuration.budgets.standard.memory = 512 << 20
                configuration.budgets.standard.processorSeconds = 30
                configuration.timeouts.render = .seconds(40)
            }) { tested in
                _ = try await tested.edit(.gray(6000, 500), tested.changedValues())
            }
        },
        ValidationCheck(
            "leaks", "The memory of a process does not keep growing during 50 edits.",
            requires: ["finish"]
        ) { context in
            try await context.withExtension { tested in
                for _ in 1...10 { _ = try await memory(after: tested) }
                let before = try await memory(after: tested)
                var after = before
                for _ in 1...50 { after = try await memory(after: tested) }
                let growth = (Int(after.bytes) - Int(before.bytes)) >> 20
                guard before.process == after.process, growth >= leakLimit else { return }
                throw ValidationFinding.failure(
                    "50 edits of a picture of 400x300 pixels left \(growth) MiB of memory in use; "
                        + "release images when they are no longer needed, and the rest in destroy")
            }
        },
    ]

    /// The growth in MiB that counts as a leak: 200 KiB for each edit.
    private static let leakLimit = 10

    /// Returns the memory of the process after an edit.
    private static func memory(
        after tested: ValidatedExtension
    ) async throws -> (process: Int32, bytes: UInt64) {
        let picture = ValidationPicture.gray(400, 300)
        return try await tested.withSession { session in
            _ = try await session.start(tested.start(picture), [(.base, try picture.file())])
            if tested.isForVideos { _ = try await tested.preview(session, picture.size) }
            let finished = try await tested.finish(session)
            if !tested.isForVideos { _ = try await tested.pixels(of: finished, in: session) }
            return (session.runner.process.pid, session.runner.process.residentMemory ?? 0)
        }
    }
}
