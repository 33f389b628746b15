// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes the files of an engine that runs a plan, and the commands that submit it.
struct WorkSubmission {
    /// A file of the work folder for an engine.
    struct File {
        let name: String
        let content: Data
    }

    let hash: WorkHash
    /// The number of shards.
    let count: Int
    /// The path of the work folder.
    let folder: String
    /// The folders of inputs outside the work folder.
    let inputs: [String]
    /// The time limit of a shard in minutes: several times the estimate, and at least an hour.
    let timeLimit: Int
    private static let timeFactor = 6.0

    /// Returns the time limit of a shard.
    ///
    /// - Parameters:
    ///   - cost: The estimated seconds of the longest shard.
    ///   - minutes: The requested minutes of a shard.
    static func timeLimit(cost: Double, minutes: Double) -> Int {
        let limit = max(60, max(cost / 60, minutes) * timeFactor)
        return Int(min(limit, 1e6).rounded(.up))
    }

    /// The name of the engine's job, which contains the first digits of the plan's hash.
    var name: String { "edithost-\(hash.hex.prefix(8))" }

    /// Returns the files for an engine; empty without an engine.
    func files(for engine: WorkPlanOptions.Engine?) throws -> [File] {
        switch engine {
        case nil: []
        case .slurm: [File(name: "slurm.sh", content: Data(slurmScript.utf8))]
        case .kubernetes: [File(name: "kubernetes.yaml", content: Data(kubernetesJob.utf8))]
        case .awsBatch:
            [
                File(name: "aws-batch-definition.json", content: try Self.json(awsDefinition)),
                File(name: "aws-batch-job.json", content: try Self.json(awsJob)),
            ]
        case .parallel: [File(name: "parallel.sh", content: Data(parallelScript.utf8))]
        }
    }

    /// Returns the command that submits all shards.
    func command(for engine: WorkPlanOptions.Engine?) -> String {
        switch engine {
        case nil:
            "for n in {0..\(count - 1)}; do "
                + words.map(Self.quoted).joined(separator: " ") + " --shard $n; done"
        case .slurm: "sbatch \(Self.quoted("\(folder)/slurm.sh"))"
        case .kubernetes: "kubectl create -f \(Self.quoted("\(folder)/kubernetes.yaml"))"
        case .awsBatch:
            "aws batch register-job-definition --cli-input-json "
                + Self.quoted("file://\(folder)/aws-batch-definition.json")
                + " && aws batch submit-job --cli-input-json "
                + Self.quoted("file://\(folder)/aws-batch-job.json")
        case .parallel: "bash \(Self.quoted("\(folder)/parallel.sh"))"
        }
    }

    /// The command of a worker without the number of the shard.
    fileprivate var words: [String] {
        ["edithost", "work", "run", folder] + inputs.flatMap { ["--inputs", $0] }
            + ["--plan", hash.hex]
    }

    /// Returns a word for a shell.
    static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/.-_:=".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty
            ? word : "'" + word.replacingOccurrences(of: "'", with: #"'\''"#) + "'"
    }

    private static func json(_ value: [String: Any]) throws -> Data {
        try JSONSerialization.data(
            withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            + Data([UInt8(ascii: "\n")])
    }
}

// MARK: - Slurm and shells

extension WorkSubmission {
    // The script waits for the worker in the background, because Slurm signals only the shell.
    fileprivate var slurmScript: String {
        let options = inputs.map { "--inputs \(Self.quoted($0)) " }.joined()
        return #"""
            #!/bin/bash
            #SBATCH --job-name=\#(name) --array=0-\#(count - 1) --requeue --open-mode=append --output=\#(Self.slurmPath("\(folder)/\(WorkName.logs)/%a.log"))
            #SBATCH --cpus-per-task=4 --mem=8G --time=\#(timeLimit) --signal=B:TERM@60
            edithost work run \#(Self.quoted(folder)) \#(options)--scratch "${TMPDIR:-/tmp}" --plan \#(hash.hex) &
            trap 'kill -TERM $!' TERM; wait $!; status=$?; [ $status -gt 128 ] && { wait $!; status=$?; }
            case $status in 73|75) [ "${SLURM_RESTART_COUNT:-0}" -lt 5 ] && exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID";; esac
            exit $status

            """#
    }

    /// Returns a path for an option in a script, which may be quoted.
    private static func slurmPath(_ path: String) -> String {
        path.utf8.contains(UInt8(ascii: " ")) ? "\"\(path)\"" : path
    }

    fileprivate var parallelScript: String {
        // parallel joins the words and passes them to another shell.
        let command = words.map { Self.quoted(Self.quoted($0)) }.joined(separator: " ")
        return """
            #!/bin/bash
            # The file hosts lists the machines, one name a line. Arguments are the shards to run instead of all.
            [ $# -eq 0 ] || exec parallel --sshloginfile "${HOSTS:-hosts}" --jobs 1 --retries 3 \(command) --shard {} ::: "$@"
            exec parallel --sshloginfile hosts --jobs 1 --retries 3 --joblog log --resume-failed \(command) --shard {} ::: {0..\(count - 1)}

            """
    }
}
