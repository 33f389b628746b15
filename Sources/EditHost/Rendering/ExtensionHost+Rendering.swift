// SPDX-License-Identifier: Apache-2.0

import Library

extension ExtensionHost {
    /// Plans how states are rendered.
    var planner: StatePlanner { StatePlanner(extensions: extensions) }

    /// Returns a renderer for the states of a library's assets.
    func renderer(
        of library: PhotoLibrary, for purpose: ReadingPurpose = .rendering
    ) -> Renderer {
        Renderer(library: library, pool: pool, extensions: extensions, purpose: purpose)
    }
}
