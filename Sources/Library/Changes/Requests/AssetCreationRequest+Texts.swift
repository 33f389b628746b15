// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension AssetCreationRequest {
    /// The title. Set by the facts of the first resource.
    public var title: String? {
        get { state.withLock { $0.texts.title } }
        set { set(.title) { $0.texts.title = newValue } }
    }

    /// A textual description. Set by the facts of the first resource.
    public var descriptionText: String? {
        get { state.withLock { $0.texts.descriptionText } }
        set { set(.description) { $0.texts.descriptionText = newValue } }
    }

    /// The creators, separated by semicolons. Set by the facts of the first resource.
    public var creator: String? {
        get { state.withLock { $0.texts.creator } }
        set { set(.creator) { $0.texts.creator = newValue } }
    }

    /// The copyright notice. Set by the facts of the first resource.
    public var copyright: String? {
        get { state.withLock { $0.texts.copyright } }
        set { set(.copyright) { $0.texts.copyright = newValue } }
    }

    /// The label, a colour or word. Set by the facts of the first resource.
    public var label: String? {
        get { state.withLock { $0.texts.label } }
        set { set(.label) { $0.texts.label = newValue } }
    }
}
