// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// Checks whether a node renders the same bytes as the machine that made the plan.
struct NodeCheck: Sendable {
    /// The node cannot run the plan.
    struct Unsuitable: Error, CustomStringConvertible {
        let description: String
    }

    let plan: WorkPlan
    let host: ExtensionHost

    /// Compares the software.
    ///
    /// - Throws: `Unsuitable`; `HostError`.
    func environment() async throws {
        let node = try await host.workEnvironment(withVideos: plan.environment.media != nil)
        let differences = plan.environment.differences(on: node)
        guard differences.isEmpty else {
            throw Unsuitable(description: differences.joined(separator: "; "))
        }
    }

    /// The probes of the kinds of some jobs.
    func probes(for jobs: [WorkJob]) -> [WorkProbe] {
        guard plan.probe == .bytes else { return [] }
        let kinds = Set(jobs.compactMap(\.kind))
        return plan.probes.filter { probe in probe.kind.map(kinds.contains) ?? false }
    }

    /// Renders probes and compares the bytes.
    ///
    /// - Throws: `Unsuitable`, including if a probe cannot be rendered.
    func render(_ probes: [WorkProbe], by renderer: WorkRenderer, _ stop: WorkStop) async throws {
        for probe in probes where !stop.isRequested {
            let contents: [RenderedContent]
            do {
                contents = try await renderer.render(probe.job)
            } catch {
                if Task.isCancelled { return }
                throw Unsuitable(description: "a probe cannot be rendered: \(error)")
            }
            let hashes = contents.map { WorkHash($0.blob.hash) }
            guard hashes == probe.hashes else {
                let format = probe.kind?.format.displayName ?? "a picture"
                throw Unsuitable(
                    description: "this node does not render the planned bytes: the probe for "
                        + "\(format) files differs")
            }
        }
    }
}
