// SPDX-License-Identifier: Apache-2.0

/// A name that can be given a number, so that files that belong together keep to one another.
struct NumberedFilename {
    private let name: SafeFilename
    /// What comes behind the whole name, as in `a.jpg.xmp`.
    private let suffix: String

    /// The name of a file.
    init(_ name: SafeFilename) {
        self.name = name
        suffix = ""
    }

    /// The name of a file beside another one; where it begins with that one's whole name, as sidecars' do,
    /// it always will.
    init(_ text: String, beside other: SafeFilename) {
        let own = SafeFilename(text)
        let isSidecar = own.stem == other.text() && !own.ending.isEmpty
        name = isSidecar ? other : own
        suffix = isSidecar ? ".\(own.ending)" : ""
    }

    /// The name with a number, no longer than some bytes.
    func text(number: Int, limit: Int) -> String {
        name.text(number: number, limit: max(1, limit - suffix.utf8.count)) + suffix
    }
}
