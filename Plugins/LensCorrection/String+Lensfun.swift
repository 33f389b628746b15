// SPDX-License-Identifier: Apache-2.0

import CLensfun

extension String {
    /// The default text of a string that lensfun has in several languages; empty if there is none.
    init(lensfun text: lfMLstr?) { self = text.map { String(cString: $0) } ?? "" }
}
