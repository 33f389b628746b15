// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerHost
import RunnerProtocol

extension ValidatedExtension {
    /// The settings that pixels are compared with: the defaults, and changed values.
    func settings() async throws -> [[String: ParameterValue]] {
        let changed = try await changedValues()
        return changed.isEmpty ? [[:]] : [[:], changed]
    }

    /// Values that differ from the defaults. A text is omitted if the extension rejects it, because it may have to be a
    /// name that the extension knows, such as that of a lens.
    func changedValues() async throws -> [String: ParameterValue] {
        let values = manifest.changedValues
        let texts = manifest.parameters.filter { $0.type == .text }.map(\.name)
        guard texts.contains(where: { values[$0] != nil }) else { return values }
        do {
            _ = try await edit(ValidationPicture(), values)
            return values
        } catch let error as HostError where error.underlying is RunnerFailure {
            return values.filter { !texts.contains($0.key) }
        }
    }
}
