// SPDX-License-Identifier: Apache-2.0

import FileAccess

/// Videos that are still to be rendered and have content identifiers. Each may be the video of a Live Photo whose
/// picture has another name, or is rendered earlier or later.
struct MotionCandidates {
    private var groups: [String: [ImportGroup]] = [:]
    private var identifiers: [FileName: String] = [:]
    private var owners: [FileName: String] = [:]

    var isEmpty: Bool { identifiers.isEmpty }

    /// Adds a video.
    ///
    /// - Parameters:
    ///   - group: The video as a file of its own.
    ///   - owner: The path of the picture beside it, if that is still to be rendered.
    mutating func add(_ group: ImportGroup, _ identifier: String, of owner: String? = nil) {
        owners[FileName(group.primary)] = owner
        groups[identifier, default: []].append(group)
        identifiers[FileName(group.primary)] = identifier
    }

    /// Removes a video.
    ///
    /// - Returns: Its content identifier; nil if it was not contained.
    @discardableResult
    mutating func remove(_ path: String) -> String? {
        guard let identifier = identifiers.removeValue(forKey: FileName(path)) else { return nil }
        owners[FileName(path)] = nil
        groups[identifier]?.removeAll { FileName($0.primary) == FileName(path) }
        return identifier
    }

    /// Returns the path of the picture beside a video, if that is still to be rendered.
    func owner(of path: String) -> String? { owners[FileName(path)] }

    /// Returns the videos with a content identifier, in the order in which they were added.
    func videos(with identifier: String) -> [ImportGroup] { groups[identifier] ?? [] }
}
