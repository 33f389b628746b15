// SPDX-License-Identifier: Apache-2.0

/// What is to happen to a version of an asset.
enum VersionChange: Sendable {
    case save(String, replaces: Bool)
    /// Nil: whatever edit it names when the change is made.
    case use(String, tip: String?, RenderedContent?)
    case rename(String, to: String)
    case remove(String)
}

extension AssetChangeRequest {
    /// The longest name of a version, in bytes of UTF-8.
    public static let maximumVersionNameLength = 255

    /// Gives the asset's current edits a name. They stay with their picture, whatever is edited, undone or pruned later.
    ///
    /// - Parameters:
    ///   - name: what the version is called, on one line; see ``maximumVersionNameLength``.
    ///   - replaces: where there is a version of that name, this one takes its place.
    /// - Throws: `LibraryError` with `outsideChangeBlock`, or `invalidRequest` for a name that cannot be one;
    ///   `performChanges` throws `invalidRequest` where the name is taken, `noSuchEdit` where the asset has no edits.
    public func saveVersion(named name: String, replaces: Bool = false) throws {
        try requireName(name)
        try add(.version(.save(name, replaces: replaces)))
    }

    /// Asks for the edits of a version, as one state more, which can be undone.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws `noSuchVersion`, `renditionMissing`,
    ///   or `conflict` where the asset was edited since.
    public func useVersion(named name: String) throws {
        try add(.version(.use(name, tip: nil, nil)))
    }

    /// Asks for the edits of a version, which has these pixels where the library does not have them; as
    /// ``useVersion(named:)``, and `performChanges` throws `conflict` where the name stands for another version since.
    package func useVersion(_ version: AssetVersion, rendered: RenderedContent?) throws {
        try add(.version(.use(version.name, tip: version.tip?.identifier, rendered)))
    }

    /// Gives a version another name.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`, or `invalidRequest` for a name that cannot be one;
    ///   `performChanges` throws `noSuchVersion`, or `invalidRequest` where the name is taken.
    public func renameVersion(named name: String, to other: String) throws {
        try requireName(other)
        try add(.version(.rename(name, to: other)))
    }

    /// Forgets a version; edits that no state leads to go with it.
    ///
    /// - Throws: `LibraryError` with `outsideChangeBlock`; `performChanges` throws `noSuchVersion`.
    public func removeVersion(named name: String) throws { try add(.version(.remove(name))) }

    private func requireName(_ name: String) throws {
        let isName =
            (1...Self.maximumVersionNameLength).contains(name.utf8.count)
            && name.unicodeScalars.allSatisfy { $0.value >= 32 && !(127...159).contains($0.value) }
            && name.first?.isWhitespace == false && name.last?.isWhitespace == false
        guard isName else {
            throw LibraryError(
                .invalidRequest,
                "the name of a version must be one line of 1 to "
                    + "\(Self.maximumVersionNameLength) bytes without spaces at the ends",
                asset: assetIdentifier)
        }
    }
}
