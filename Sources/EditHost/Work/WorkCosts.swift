// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Library
import RunnerProtocol

/// Estimates the seconds that jobs take on one core.
///
/// A photo costs its megapixels times its steps times a rate, measured by the probe of its kind. A video costs the
/// megapixels of all its frames times a rate; videos have no probes. Without a probe, the rate is the last one of the
/// kind in the library, otherwise that in docs/reference/work-folders.md.
struct WorkCosts {
    /// The seconds per megapixel and step of photos that no probe has measured.
    static let photoRate = 0.014
    /// The seconds per megapixel and frame of decoding and encoding a video.
    static let videoRates: [VideoSettings.Codec: Double] = [.h264: 0.06, .hevc: 0.2]
    /// The seconds per megapixel and frame of a step over a video.
    static let videoStepRate = 0.01

    /// The rates of earlier renditions of the library.
    var stored: [RenderingRates.Kind: Double] = [:]
    private var rates: [WorkKind: Double] = [:]

    /// Records the seconds that a probe took.
    mutating func add(_ seconds: Double, of job: WorkJob) {
        let units = job.outputs.map { $0.photoUnits(in: job) }.reduce(0, +)
        guard let kind = job.kind, units > 0 else { return }
        rates[kind] = seconds / units
    }

    /// Returns the estimated seconds of a job.
    ///
    /// - Parameter kinds: The kinds of its outputs, as far as they are known.
    func cost(of job: WorkJob, _ kinds: [RenderingRates.Kind] = []) -> Double {
        let probed = job.kind.flatMap { rates[$0] }
        return job.outputs.enumerated().map { index, output in
            let known = kinds.indices.contains(index) ? stored[kinds[index]] : nil
            guard output.part == .video else {
                return output.photoUnits(in: job) * (probed ?? known ?? Self.photoRate)
            }
            let units = job.inputs[output.original].facts?.videoUnits ?? 0
            return units * (known ?? Self.videoRate(of: output))
        }.reduce(0, +)
    }

    private static func videoRate(of output: WorkJob.Output) -> Double {
        guard let codec = output.settings.video?.codec else { return 0 }
        return videoRates[codec, default: 0.2] + videoStepRate * Double(output.steps.count)
    }
}

extension WorkJob.Output {
    /// The megapixels times steps of a photo; 0 for a video.
    fileprivate func photoUnits(in job: WorkJob) -> Double {
        guard part == .photo else { return 0 }
        return job.inputs[original].facts?.photoUnits(steps: steps.count) ?? 0
    }
}
