// SPDX-License-Identifier: Apache-2.0

/// The names of the filters of a command without options of the same names.
enum PlainFilterNames: FilterNames {
    static let taken: Set<String> = []
}
