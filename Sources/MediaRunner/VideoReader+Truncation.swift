// SPDX-License-Identifier: Apache-2.0

import CMedia
import ImageMetadata
import RunnerProtocol

extension VideoReader {
    /// A warning about frames that the index lists but the file lacks; `nil` if it is complete. Nothing is
    /// decoded.
    var truncationWarning: String? {
        var missing = cmedia_absence()
        findMissingContent(&missing)
        return missing.words(ofFrames: facts.frame_count).map { "truncated: \($0)" }
    }

    /// The error for a video without any decodable frame.
    var noFrames: RunnerFailure {
        if let fault = MovieDiagnosis.find(in: file) {
            return RunnerFailure(code: .badInput, message: fault)
        }
        return RunnerFailure(
            code: .badInput,
            message: facts.frame_count > 0
                ? "none of the frames in its index is in the file"
                : "it has no frames")
    }
}

extension cmedia_absence {
    /// Returns a description of the missing content; `nil` if nothing is missing.
    fileprivate func words(ofFrames count: Int64) -> String? {
        let seconds = Double(since / 100_000) / 10
        let start = since > 0 ? ", from \(seconds) s on" : ""
        if frames > 0 {
            let about = is_estimate ? "about " : ""
            let verb = frames == 1 ? "is" : "are"
            // The index of a fragmented MP4 does not count the frames of its fragments.
            let some = frames == 1 ? "1 frame" : "\(frames) frames"
            let all = count >= frames ? "\(frames) of its \(count) frames" : some
            return "\(about)\(all) \(verb) missing\(start)"
        }
        if has_sound { return "a part of its sound is missing" }
        guard bytes > 0 else { return nil }
        let (count, verb) = bytes == 1 ? ("1 byte", "is") : ("\(bytes) bytes", "are")
        return "\(is_estimate ? "at least " : "")\(count) \(verb) missing at its end"
    }
}
