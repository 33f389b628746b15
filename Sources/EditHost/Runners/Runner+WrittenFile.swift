// SPDX-License-Identifier: Apache-2.0

import CSandbox
import EditingModel

extension Runner {
    /// Takes the file that an extension wrote as its output. The runner has held it open since the
    /// extension announced it, and copies no more than was written, which its budget for output
    /// bounds. Nobody can change the copy.
    ///
    /// - Throws: `HostError`.
    func takeWrittenFile() async throws -> OwnedDescriptor {
        let memory = try OwnedDescriptor.memory("rendered file")
        let reply = try await ask(
            .takeFile, [(.output, memory)], deadline: deadlines.render, isFullSize: true)
        guard case .done = reply else { throw unexpected(reply) }
        guard csandbox_seal(memory.number) == 0 else {
            throw violation("it kept a hold on the memory of its output")
        }
        // It had no size when it was lent; the runner may keep what it has now.
        process.state.withLock { $0.lent.lend(memory, isInput: false) }
        return memory
    }
}
