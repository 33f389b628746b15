// SPDX-License-Identifier: Apache-2.0

import CEditingExtension

extension HostCapability {
    /// Cancellation, progress, threads and temporary space for long work: `ee_work`.
    static let work: HostCapability = {
        var work = ee_work()
        work.is_cancelled = { input in
            ControllerInput.object(for: input)?.work.isCancelled ?? true
        }
        work.report_progress = { input, fraction in
            ControllerInput.object(for: input)?.work.report(fraction)
        }
        work.thread_count = { input in
            UInt32(clamping: ControllerInput.object(for: input)?.work.threadCount ?? 1)
        }
        work.temporary_space = { input, path, limit, error in
            guard let path, let limit else { return ee_status(EE_FAILED) }
            return ControllerInput.answer(input, error) { input in
                path.pointee = try input.temporaryFolder()
                limit.pointee = input.work.temporarySpaceLimit
            }
        }
        return HostCapability(EE_CAPABILITY_WORK, work)
    }()
}
