// SPDX-License-Identifier: Apache-2.0

extension AssetChangeRequest {
    /// What is to become of the asset in its burst.
    struct BurstChange: Sendable {
        var identifier: String??
        var selectionTypes: AssetBurstSelectionType?
        var represents: Bool?
    }

    /// What the pictures of its burst have in common; nil takes it out of its burst. A picture
    /// that comes into a burst is picked by nobody, and stands for it where it is the first.
    ///
    /// `performChanges` throws `invalidRequest` for what ``PhotoMetadata/text(_:)`` would not
    /// keep as it is.
    public var burstIdentifier: String? {
        get { state.withLock { $0.burst.identifier } ?? original?.burstIdentifier }
        set { set { $0.burst.identifier = .some(newValue) } }
    }

    /// By whom it was picked among the pictures of its burst. Picks are listed besides the
    /// picture that stands for the burst.
    ///
    /// `performChanges` throws `invalidRequest` for a picture that is in no burst.
    public var burstSelectionTypes: AssetBurstSelectionType {
        get { state.withLock { $0.burst.selectionTypes } ?? original?.burstSelectionTypes ?? [] }
        set { set { $0.burst.selectionTypes = newValue } }
    }

    /// Whether it stands for its burst. Setting it to true ends that another picture does.
    ///
    /// `performChanges` throws `invalidRequest` for false where it stands for its burst, which
    /// would leave none that does, and for true where it is in no burst.
    public var representsBurst: Bool {
        get { state.withLock { $0.burst.represents } ?? original?.representsBurst ?? false }
        set { set { $0.burst.represents = newValue } }
    }
}
