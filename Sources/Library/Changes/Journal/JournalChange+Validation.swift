// SPDX-License-Identifier: Apache-2.0

import EditingModel
import FoundationEssentials

extension JournalChange {
    /// Throws `damaged` unless its property can have the old and the new value.
    func requireValid() throws {
        let isValid =
            switch key.type {
            case .asset: isValidOfAsset(old) && isValidOfAsset(new)
            case .collection: isValidOfCollection(old) && isValidOfCollection(new)
            }
        guard isValid, hasValidItem else { throw damage }
    }

    private var hasValidItem: Bool {
        switch property {
        case .keyword: key.item.text.map { PhotoMetadata.text($0) == $0 } ?? false
        case .member: key.item.number.map { $0 > 0 } ?? false
        default: key.item == .text("")
        }
    }

    private func isValidOfAsset(_ value: JournalValue) -> Bool {
        switch property {
        case .existence, .burstPick, .burstRepresentative, .keyword:
            value == .empty || value == .number(1)
        case .state: JournalState(value) != nil
        case .trashedDate:
            value == .empty || value.number.map(Date.storable.contains) ?? false
        case .burst:
            value == .empty || value.text.map { PhotoMetadata.text($0) == $0 } ?? false
        case .place, .cover, .member: false
        default: JournalColumns.stored(value, of: property) != nil
        }
    }

    private func isValidOfCollection(_ value: JournalValue) -> Bool {
        if value == .empty { return true }
        return switch property {
        case .existence: value.text.flatMap(CollectionKind.init(rawValue:)) != nil
        case .title: value.text?.isEmpty == false
        case .place: JournalPlace(value) != nil
        case .cover: value.number.map { $0 > 0 } ?? false
        case .member: value.number.map(StoredValueLimits.ranks.contains) ?? false
        default: false
        }
    }
}
