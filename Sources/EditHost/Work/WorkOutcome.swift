// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library

/// A line of `results/NNNNN/ATTEMPT/NNNN.jsonl`: the outcome of a job in an attempt.
package struct WorkOutcome: Codable, Equatable, Sendable {
    /// The outcome of a job.
    package enum Status: String, Codable, Sendable {
        /// All outputs were rendered.
        case rendered
        /// The picture or an extension caused a failure, which is final.
        case failed
        /// The job was skipped because an extension is in quarantine. It is still pending.
        case notTried
    }

    /// A rendered file, in `results/NNNNN/files/SHA256`.
    package struct Output: Codable, Equatable, Sendable {
        /// The identifier of the edit.
        package let edit: String
        /// The kind of rendition: the current version or a lossless base.
        package let kind: Rendition.Kind
        /// The part of the asset: a photo or a video.
        package let part: Rendition.Part
        /// The key of the rendition.
        package let key: WorkHash
        /// The hash of the file, which is its name.
        package let sha256: WorkHash
        /// The size of the file in bytes.
        package let size: Int
        /// The width in pixels of the upright picture.
        package let width: Int
        /// The height in pixels.
        package let height: Int
        /// The duration of a video in seconds; `nil` for a photo, or for the duration of the original.
        package let duration: Double?
        /// The format of the file.
        package let format: MediaFormat
        /// The original's metadata that the file lacks, as messages for the user.
        package let omissions: [String]

        package init(
            edit: String, kind: Rendition.Kind, part: Rendition.Part, key: WorkHash,
            sha256: WorkHash, size: Int, width: Int, height: Int, duration: Double?,
            format: MediaFormat, omissions: [String]
        ) {
            (self.edit, self.kind, self.part, self.key) = (edit, kind, part, key)
            (self.sha256, self.size, self.width, self.height) = (sha256, size, width, height)
            (self.duration, self.format, self.omissions) = (duration, format, omissions)
        }

        /// The seconds that a video can have, which a library can store.
        private static let durations = 0...1e9

        /// Whether its numbers and texts are in range.
        var isSound: Bool {
            WorkName.isIdentifier(edit) && (1...1 << 40).contains(size)
                && (1...1 << 20).contains(width) && (1...1 << 20).contains(height)
                && (duration.map { part == .video && Self.durations.contains($0) } ?? true)
                && omissions.count <= 1000 && omissions.allSatisfy { $0.utf8.count <= 4096 }
        }
    }

    /// The number of the job.
    package let job: Int
    /// The outcome.
    package let status: Status
    /// The files, in the order of the job's outputs; `nil` unless rendered.
    package var outputs: [Output]?
    /// The seconds of rendering; `nil` if nothing was rendered.
    package var seconds: Double?
    /// The code of the error, such as `extensionFailed`; `nil` if rendered.
    package var code: String?
    /// The message of the error; `nil` if rendered.
    package var reason: String?
    /// The digest of the extension that failed.
    package var `extension`: WorkHash?

    /// The maximum length of the texts in bytes.
    static let maximumTextLength = 64 << 10

    /// Creates the outcome of a rendered job.
    package init(job: Int, outputs: [Output], seconds: Double) {
        (self.job, status, self.outputs, self.seconds) = (job, .rendered, outputs, seconds)
    }

    /// Creates the outcome of a job that was not rendered.
    package init(
        job: Int, _ status: Status, code: String, reason: String, extension: WorkHash? = nil
    ) {
        (self.job, self.status, self.code) = (job, status, code)
        self.reason = reason.prefix(bytes: Self.maximumTextLength)
        self.extension = `extension`
    }

    /// Whether its numbers and texts are in range, and the outputs match the status.
    var isSound: Bool {
        (0...Int(Int32.max)).contains(job) && (status == .rendered) == (outputs != nil)
            && (outputs.map { !$0.isEmpty && $0.count <= WorkJob.maximumCount } ?? true)
            && (outputs ?? []).allSatisfy(\.isSound)
            && (seconds.map { $0.isFinite && $0 >= 0 } ?? true)
            && (code ?? "").utf8.count <= 255
            && (reason ?? "").utf8.count <= Self.maximumTextLength
    }
}

extension WorkOutcome {
    /// Whether the outputs are those that a job requests, in the same order. Keys are compared if the plan has them.
    package func matches(_ planned: WorkJob) -> Bool {
        guard job == planned.job else { return false }
        guard let outputs else { return true }
        return outputs.count == planned.outputs.count
            && zip(outputs, planned.outputs).allSatisfy { made, planned in
                made.edit == planned.edit && made.kind == planned.kind && made.part == planned.part
                    && made.format == planned.settings.format
                    && (planned.key.map { $0 == made.key } ?? true)
            }
    }
}
