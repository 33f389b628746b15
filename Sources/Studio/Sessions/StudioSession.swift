// SPDX-License-Identifier: Apache-2.0

import EditHost
import EditingModel
import JSONOutput
import RunnerHost
import Synchronization

/// An editing session that a page holds. It is a lease, which the page renews.
final class StudioSession: Sendable {
    /// The state of the session.
    enum Phase: String {
        case editing, finishing, ended
    }

    private struct State {
        var phase = Phase.editing
        var renewal: ContinuousClock.Instant
        var progress = 0.0
        /// The full size of the edited picture in the last preview, and in the last one with other values.
        var fullSize: PixelSize
        var otherSize: PixelSize?
        /// The files that the values may name.
        var files: Set<String>
        /// The last motion, of which the page may request further parts.
        var motion: (revision: Int, video: AssetVideo)?
    }

    let id: String
    /// The login that opened the session.
    let login: Login
    /// The name of the tab, as given by the page.
    let tab: String?
    let editing: EditingSession
    /// The longer side of previews in pixels.
    let displaySize: Int
    let previews = PreviewQueue()
    /// Held while a motion is rendered.
    let motionLock = AsyncLock()
    private let state: Mutex<State>

    init(
        _ editing: EditingSession, _ login: Login, tab: String?, displaySize: Int,
        fullSize: PixelSize, now: ContinuousClock.Instant
    ) {
        // The identifier is random, so that after a restart an old identifier does not name another session.
        id = String(SecretToken().text.prefix(16))
        (self.editing, self.login, self.tab) = (editing, login, tab)
        self.displaySize = displaySize
        let files = SessionValues.files(in: editing.parameters, of: editing.manifest)
        state = Mutex(State(renewal: now, fullSize: fullSize, files: files))
    }

    /// The JSON in lists.
    var row: JSONRow {
        [
            "id": id, "tab": tab, "asset": editing.assetIdentifier,
            "extension": editing.manifest.identifier, "state": phase.rawValue,
        ]
    }

    var phase: Phase { state.withLock { $0.phase } }

    // MARK: - The lease

    func renew(_ now: ContinuousClock.Instant) { state.withLock { $0.renewal = now } }

    /// Whether the lease has expired. An edit that is being finished needs no lease, because it ends by itself.
    func isExpired(_ now: ContinuousClock.Instant, after seconds: Double) -> Bool {
        state.withLock { $0.phase == .editing && now - $0.renewal > .seconds(seconds) }
    }

    // MARK: - The end

    /// Changes the phase.
    ///
    /// - Returns: False if the session is not in the expected phase.
    func change(from expected: Phase, to phase: Phase) -> Bool {
        state.withLock { state in
            guard state.phase == expected else { return false }
            (state.phase, state.progress) = (phase, 0)
            return true
        }
    }

    /// Ends the session.
    ///
    /// - Returns: False if it has ended already.
    func end() -> Bool {
        state.withLock { state in
            defer { state.phase = .ended }
            return state.phase != .ended
        }
    }

    /// Stores the progress of finishing.
    ///
    /// - Returns: False if it is not worth an event: extensions may report it after every row.
    func report(_ progress: Double) -> Bool {
        state.withLock { state in
            guard state.phase == .finishing, progress >= state.progress + 0.01 else { return false }
            state.progress = progress
            return true
        }
    }

    // MARK: - Previews

    /// The full size of the edited picture, to which regions refer.
    ///
    /// - Parameter isOther: Whether the preview has other values than the session.
    func fullSize(isOther: Bool) -> PixelSize {
        state.withLock { isOther ? $0.otherSize ?? $0.fullSize : $0.fullSize }
    }

    func keep(_ size: PixelSize, isOther: Bool) {
        state.withLock { state in
            if isOther { state.otherSize = size } else { state.fullSize = size }
        }
    }

    var motion: (revision: Int, video: AssetVideo)? { state.withLock { $0.motion } }

    func keep(motion: AssetVideo, _ revision: Int) {
        state.withLock { $0.motion = (revision, motion) }
    }

    /// The files that the session has received, by the values that name them.
    var files: Set<String> { state.withLock { $0.files } }

    func keep(files: Set<String>) { state.withLock { $0.files.formUnion(files) } }
}
