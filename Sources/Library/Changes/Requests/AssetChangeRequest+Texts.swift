// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetChangeRequest {
    /// The title; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/text(_:)`` would not keep the
    /// title unchanged.
    public var title: String? {
        get { state.withLock { $0.texts.title } ?? original?.title }
        set { set { $0.texts.title = .some(newValue) } }
    }

    /// A textual description of the photo; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/description(_:)`` would not keep
    /// the text unchanged.
    public var descriptionText: String? {
        get { state.withLock { $0.texts.descriptionText } ?? original?.descriptionText }
        set { set { $0.texts.descriptionText = .some(newValue) } }
    }

    /// The creators, separated by semicolons; nil if there are none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/creator(_:)`` would not keep the
    /// text unchanged.
    public var creator: String? {
        get { state.withLock { $0.texts.creator } ?? original?.creator }
        set { set { $0.texts.creator = .some(newValue) } }
    }

    /// The copyright notice; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/text(_:)`` would not keep the
    /// text unchanged.
    public var copyright: String? {
        get { state.withLock { $0.texts.copyright } ?? original?.copyright }
        set { set { $0.texts.copyright = .some(newValue) } }
    }

    /// The label, a colour or word; nil if there is none.
    ///
    /// `performChanges` throws `invalidRequest` if ``PhotoMetadata/text(_:)`` would not keep the
    /// label unchanged.
    public var label: String? {
        get { state.withLock { $0.texts.label } ?? original?.label }
        set { set { $0.texts.label = .some(newValue) } }
    }
}
