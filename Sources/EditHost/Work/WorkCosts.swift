// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Estimates the seconds that jobs take on one core.
///
/// A photograph costs its megapixels times its steps times a rate, measured by the probe of its kind. A video costs its
/// megapixels times its frames times the rates in docs/guides/cluster.md, because videos have no probes.
struct WorkCosts {
    /// The seconds per megapixel and step of photographs that no probe has measured.
    static let photoRate = 0.014
    /// The seconds per megapixel and frame of decoding and encoding a video.
    static let videoRates: [VideoSettings.Codec: Double] = [.h264: 0.06, .hevc: 0.2]
    /// The seconds per megapixel and frame of a step over a video.
    static let videoStepRate = 0.01

    private var rates: [WorkKind: Double] = [:]

    /// Takes the seconds that a probe took.
    mutating func add(_ seconds: Double, of job: WorkJob) {
        guard let kind = job.kind, job.photoUnits > 0 else { return }
        rates[kind] = seconds / job.photoUnits
    }

    /// Returns the estimated seconds of a job.
    func cost(of job: WorkJob) -> Double {
        let rate = job.kind.flatMap { rates[$0] } ?? Self.photoRate
        return job.photoUnits * rate
            + job.outputs.filter { $0.part == .video }.map { videoCost(of: $0, in: job) }
            .reduce(0, +)
    }

    private func videoCost(of output: WorkJob.Output, in job: WorkJob) -> Double {
        guard let facts = job.inputs[output.original].facts, let video = facts.video,
            let codec = output.settings.video?.codec
        else { return 0 }
        let frames = video.duration * min(max(video.frameRate ?? 30, 1), 1000)
        let rate =
            Self.videoRates[codec, default: 0.2] + Self.videoStepRate * Double(output.steps.count)
        return max(0, frames) * facts.megapixels * rate
    }
}

extension WorkJob {
    /// The megapixels times steps of all photographs.
    fileprivate var photoUnits: Double {
        outputs.filter { $0.part == .photo }.map { output in
            (inputs[output.original].facts?.megapixels ?? 0) * Double(max(1, output.steps.count))
        }.reduce(0, +)
    }
}

extension PhotoFacts {
    fileprivate var megapixels: Double { Double(pixelWidth) * Double(pixelHeight) / 1e6 }
}
