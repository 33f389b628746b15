// SPDX-License-Identifier: Apache-2.0

import EditHost
import Foundation
import JSONOutput

extension CommandOutput {
    /// Prints the progress of a plan.
    func print(_ status: WorkStatus, of folder: String, onlyPending: Bool) throws {
        let pending = ShardNumbers.text(status.pendingShards)
        if onlyPending { return try print(["pending": pending], pending) }
        let resubmission = status.resubmission(of: folder)
        try printJSON(Self.row(status, pending, resubmission))
        try printText(Self.lines(status, resubmission))
    }

    private static func row(
        _ status: WorkStatus, _ pending: String, _ resubmission: String?
    ) -> JSONRow {
        [
            "shards": [
                "waiting": status.waitingShards, "begun": status.begunShards,
                "done": status.doneShards,
            ] as JSONRow,
            "photographs": [
                "total": status.jobs, "rendered": status.rendered, "committed": status.committed,
                "failed": status.failed, "pending": status.pending, "notTried": status.notTried,
            ] as JSONRow,
            "failures": status.failures.map {
                ["code": $0.code, "reason": $0.reason, "count": $0.count] as JSONRow
            },
            "perSecond": status.rate, "secondsLeft": status.secondsLeft,
            "nodes": status.unableNodes.map {
                ["name": $0.name, "reason": $0.reason] as JSONRow
            },
            "refused": status.refusedAttempts, "probe": status.probe.rawValue,
            "pending": pending, "submit": resubmission, "problems": status.problems,
        ]
    }

    private static func lines(_ status: WorkStatus, _ resubmission: String?) -> [String] {
        let shards = status.waitingShards + status.begunShards + status.doneShards
        var lines = [
            "\(shards.counted("shard")): \(status.waitingShards) waiting, \(status.begunShards) begun, "
                + "\(status.doneShards) done",
            "\(status.jobs.counted("photo")): \(status.rendered) rendered "
                + "(\(status.committed) committed), \(status.failed) failed, \(status.pending) left",
        ]
        if let rate = status.rate, status.pending > 0 {
            let left = status.secondsLeft.map {
                ", \(Int(min($0, 1e9).rounded(.up)).counted("second")) left"
            }
            lines.append(String(format: "%.1f per second", rate) + (left ?? ""))
        }
        lines += status.failures.map { "failed: \($0.count) because \($0.reason)" }
        if status.probe == .off { lines.append("nodes render no probes (--probe off)") }
        lines += status.unableNodes.map { "\($0.name) cannot run the plan: \($0.reason)" }
        if !status.unableNodes.isEmpty, let resubmission {
            lines.append("to submit the rest: \(resubmission)")
        }
        if status.notTried > 0, status.isOver {
            lines.append(
                "\(status.notTried) not tried, because an extension was quarantined; shards to "
                    + "submit again: \(ShardNumbers.text(status.pendingShards))")
        }
        lines += status.refusedAttempts.map { "attempt \($0) failed an audit; make a new plan" }
        return lines + status.problems
    }
}

extension WorkStatus {
    /// Returns the command that submits the pending shards, if the engine can, without the nodes that cannot run the
    /// plan; `nil` if the folder has no file of an engine, or nothing is left.
    fileprivate func resubmission(of folder: String) -> String? {
        func has(_ name: String) -> Bool {
            FileManager.default.fileExists(atPath: "\(folder)/\(name)")
        }
        if pendingShards.isEmpty { return nil }
        if has("slurm.sh") { return slurmResubmission(of: "\(folder)/slurm.sh") }
        if has("parallel.sh") { return parallelResubmission(of: "\(folder)/parallel.sh") }
        // These run all indices of a job or none. Shards that are done end in seconds.
        if has("kubernetes.yaml") {
            return "kubectl replace --force -f \(ShellWord.quoted("\(folder)/kubernetes.yaml"))"
        }
        if has("aws-batch-job.json") {
            return "aws batch submit-job --cli-input-json "
                + ShellWord.quoted("file://\(folder)/aws-batch-job.json")
        }
        return nil
    }

    private func slurmResubmission(of script: String) -> String {
        let nodes = unableNodes.map(\.name).joined(separator: ",")
        let excluded = nodes.isEmpty ? "" : " --exclude=\(ShellWord.quoted(nodes))"
        return "sbatch --array=\(ShardNumbers.text(pendingShards))\(excluded) "
            + ShellWord.quoted(script)
    }

    private func parallelResubmission(of script: String) -> String {
        let nodes = unableNodes.map { " -e \(ShellWord.quoted($0.name))" }.joined()
        let hosts = nodes.isEmpty ? "" : "grep -vxF\(nodes) hosts | HOSTS=- "
        return "\(hosts)bash \(ShellWord.quoted(script)) \(ShardNumbers.words(pendingShards))"
    }
}
