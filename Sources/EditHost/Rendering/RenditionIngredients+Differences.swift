// SPDX-License-Identifier: Apache-2.0

import EditingModel
import RunnerProtocol

extension RenditionIngredients {
    /// Returns the reasons why a rendition made from `stored` is out of date, one for each difference. Empty if the
    /// ingredients are equal.
    func differences(from stored: RenditionIngredients) -> [String] {
        var reasons: [String] = []
        if original != stored.original { reasons.append("the original has changed") }
        // The original is usually the base too, so its change is not reported twice.
        if base != stored.base, base != original || stored.base != stored.original {
            reasons.append(baseDifference(from: stored))
        }
        reasons += stepDifferences(from: stored)
        reasons += settings.differences(from: stored.settings)
        if vips != stored.vips { reasons.append("libvips changed from \(stored.vips) to \(vips)") }
        if media != stored.media {
            reasons.append("\(stored.media ?? "no FFmpeg") changed to \(media ?? "no FFmpeg")")
        }
        if hostRendering != stored.hostRendering {
            reasons.append(
                "the rendering of edithost changed from version \(stored.hostRendering) to "
                    + "\(hostRendering)")
        }
        return reasons
    }

    private func baseDifference(from stored: RenditionIngredients) -> String {
        if base == original {
            return "it is now rendered from the original, not from a stored step"
        }
        if stored.base == stored.original {
            return "it is now rendered from a stored step, not from the original"
        }
        return "the stored step that it is rendered from has been rendered again"
    }

    private func stepDifferences(from stored: RenditionIngredients) -> [String] {
        guard steps.map(\.extension.identifier) == stored.steps.map(\.extension.identifier) else {
            return [
                "the edits changed from \(Self.names(stored.steps)) to \(Self.names(steps))"
            ]
        }
        return zip(steps, stored.steps).filter { $0 != $1 }.map { $0.difference(from: $1) }
    }

    private static func names(_ steps: [Step]) -> String {
        steps.isEmpty ? "none" : steps.map(\.extension.identifier).joined(separator: ", ")
    }
}

extension RenditionIngredients.Step {
    /// Returns the difference between two steps of an extension with the same identifier.
    fileprivate func difference(from old: Self) -> String {
        let name = self.extension.identifier
        if self.extension.version != old.extension.version {
            return "\(name) changed from \(old.extension.version) to \(self.extension.version)"
        }
        if self.extension.binaryHash != old.extension.binaryHash {
            return "another build of \(name) is installed"
        }
        if self.extension != old.extension {
            return "files of \(name) have changed"
        }
        if keepsPixelsInPlace != old.keepsPixelsInPlace {
            return "the manifest of \(name) changed keepsPixelsInPlace"
        }
        if (formatIdentifier, formatVersion) != (old.formatIdentifier, old.formatVersion) {
            return "the recipe of \(name) changed its format from \(old.formatIdentifier) "
                + "\(old.formatVersion) to \(formatIdentifier) \(formatVersion)"
        }
        if files != old.files { return "a file used by the recipe of \(name) has changed" }
        return "the recipe of \(name) has changed"
    }
}

extension EncodeSettings {
    /// Returns the settings that differ from those of a stored file, each with both values.
    fileprivate func differences(from stored: EncodeSettings) -> [String] {
        guard self != stored else { return [] }
        var reasons: [String] = []
        func compare(_ name: String, _ old: String, _ new: String) {
            if old != new { reasons.append("the \(name) changed from \(old) to \(new)") }
        }
        func text(_ value: Int?) -> String { value.map(String.init) ?? "lossless" }
        func text(_ size: PixelSize?) -> String {
            size.map { "\($0.width)x\($0.height)" } ?? "unchanged"
        }
        compare("format", stored.format.displayName, format.displayName)
        compare("quality", text(stored.quality), text(quality))
        compare("chroma", stored.fullChroma ? "4:4:4" : "4:2:0", fullChroma ? "4:4:4" : "4:2:0")
        compare("depth", "\(stored.bitsPerSample) bit", "\(bitsPerSample) bit")
        compare("size", text(stored.size), text(size))
        return reasons.isEmpty ? ["other output settings have changed"] : reasons
    }
}
