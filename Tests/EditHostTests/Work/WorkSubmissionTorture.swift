// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation
import TestSupport
import Testing

@testable import EditHost

/// The files for Kubernetes and AWS Batch, read by programs that know what these engines accept.
@Suite("engine files of plans, read by programs of others", .torture)
struct WorkSubmissionTorture {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Writes the files for an engine, and returns their paths.
    private func write(_ engine: WorkPlanOptions.Engine) throws -> [String] {
        let digest = try #require(
            SHA256Digest(hex: String(repeating: "1d44505808e8c342", count: 4)))
        let submission = WorkSubmission(
            hash: WorkHash(digest), count: 800, folder: "/shared/work", inputs: ["/srv/blobs"],
            timeLimit: 60)
        return try submission.files(for: engine).map { file in
            let path = folder.file(file.name)
            try file.content.write(to: URL(fileURLWithPath: path))
            return path
        }
    }

    @Test(
        "the Kubernetes file is valid under its schema",
        .enabled(if: hasKubernetesValidate, "it needs kubernetes-validate"))
    func kubernetes() throws {
        let path = try #require(try write(.kubernetes).first)
        let result = try runProgram("/usr/bin/env", ["kubernetes-validate", "--strict", path])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test(
        "AWS Batch accepts the job definition and the job",
        .enabled(if: hasBatch, "it needs boto3 and moto[batch,iam]"))
    func awsBatch() throws {
        let program = "\(BuildProducts.packageFolder)/Tests/TestSupport/Programs/submit-batch"
        let result = try runProgram(program, try write(.awsBatch))
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "800 5\n")
    }
}

private var hasKubernetesValidate: Bool {
    (try? runProgram("/usr/bin/env", ["kubernetes-validate", "--version"]))?.status == 0
}

private var hasBatch: Bool {
    (try? runProgram("/usr/bin/env", ["python3", "-c", "import boto3, moto.batch, moto.iam"]))?
        .status == 0
}
