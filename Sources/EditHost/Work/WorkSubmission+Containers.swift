// SPDX-License-Identifier: Apache-2.0

// Files for engines that run containers. One image contains edithost for the machine of the library and the nodes.
extension WorkSubmission {
    /// The image, to be replaced by its digest.
    private static let image = "IMAGE@sha256:…"
    /// The paths at which the work folder and the folders of inputs are mounted in containers.
    private static let workMount = "/work"

    private func inputMount(_ index: Int) -> String {
        index == 0 ? "/blobs" : "/blobs-\(index + 1)"
    }

    private func inputName(_ index: Int) -> String { String(inputMount(index).dropFirst()) }

    private var containerCommand: [String] {
        ["edithost", "work", "run", Self.workMount]
            + inputs.indices.flatMap { ["--inputs", inputMount($0)] } + ["--plan", hash.hex]
    }

    /// An indexed job of Kubernetes.
    var kubernetesJob: String {
        let command = containerCommand.map(Self.yaml).joined(separator: ", ")
        let mounts = inputs.indices.map {
            ", {name: \(inputName($0)), mountPath: \(inputMount($0)), readOnly: true}"
        }.joined()
        let volumes = inputs.indices.map {
            ", {name: \(inputName($0)), persistentVolumeClaim: "
                + "{claimName: photos-\(inputName($0)), readOnly: true}}"
        }.joined()
        return """
            {apiVersion: batch/v1, kind: Job, metadata: {name: \(name)}, spec: {completionMode: Indexed, completions: \(count), parallelism: \(min(100, count)), backoffLimitPerIndex: 5, maxFailedIndexes: \(count),
             podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}, {action: FailIndex, onExitCodes: {containerName: run, operator: In, values: [64, 65]}}]},
             template: {spec: {restartPolicy: Never, terminationGracePeriodSeconds: 60, securityContext: {runAsNonRoot: true, runAsUser: 1000, seccompProfile: {type: RuntimeDefault}},
              containers: [{name: run, image: "\(Self.image)", command: [\(command)], resources: {requests: {cpu: "4", memory: 8Gi}, limits: {memory: 8Gi}},
               volumeMounts: [{name: work, mountPath: /work}\(mounts)]}],
              volumes: [{name: work, persistentVolumeClaim: {claimName: edithost-work}}\(volumes)]}}}}

            """
    }

    /// Returns a word of the command. Only the hash can look like a number.
    private static func yaml(_ word: String) -> String {
        word.utf8.count == 64 ? "\"\(word)\"" : word
    }

    // MARK: - AWS Batch

    /// The input of RegisterJobDefinition.
    var awsDefinition: [String: Any] {
        var command = containerCommand
        // An array has at least two jobs.
        if count < 2 { command += ["--shard", "0"] }
        return [
            "jobDefinitionName": name, "type": "container", "platformCapabilities": ["EC2"],
            "containerProperties": [
                "image": Self.image, "command": command,
                "resourceRequirements": [
                    ["type": "VCPU", "value": "4"], ["type": "MEMORY", "value": "8192"],
                ],
                "user": "1000",
                "mountPoints": [["sourceVolume": "work", "containerPath": Self.workMount]]
                    + inputs.indices.map { index -> [String: Any] in
                        [
                            "sourceVolume": inputName(index), "containerPath": inputMount(index),
                            "readOnly": true,
                        ]
                    },
                "volumes": [["name": "work", "host": ["sourcePath": folder]] as [String: Any]]
                    + inputs.indices.map { index -> [String: Any] in
                        ["name": inputName(index), "host": ["sourcePath": inputs[index]]]
                    },
            ] as [String: Any],
            "retryStrategy": awsRetries,
        ]
    }

    /// The input of SubmitJob.
    var awsJob: [String: Any] {
        var job: [String: Any] = [
            "jobName": name, "jobQueue": "QUEUE", "jobDefinition": name,
            "retryStrategy": awsRetries,
        ]
        if count >= 2 { job["arrayProperties"] = ["size": count] }
        return job
    }

    private var awsRetries: [String: Any] {
        [
            "attempts": 5,
            "evaluateOnExit": [
                ["onStatusReason": "Host EC2*", "action": "RETRY"],
                ["onExitCode": "64", "action": "EXIT"], ["onExitCode": "65", "action": "EXIT"],
                ["onReason": "*", "action": "RETRY"],
            ],
        ]
    }
}
