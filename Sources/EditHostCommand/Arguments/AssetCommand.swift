// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Library

/// A command on several assets, selected by identifier, by filters or with `--all`.
///
/// Conforming types declare the option groups separately rather than in one group. Debug builds of ArgumentParser
/// validate a nested group at each level, which took most of the run time of a short command.
protocol AssetCommand: AsyncParsableCommand {
    /// The names of the filters.
    associatedtype Names: FilterNames

    var named: NamedAssets { get }
    var filters: AssetFilterOptions<Names> { get }
    var order: OrderOptions { get }
    var general: GeneralOptions { get }
}

extension AssetCommand {
    var assets: AssetSelection {
        AssetSelection(named: named, filters: filters, order: order, general: general)
    }

    func validate() throws { try assets.validate() }

    /// Returns what a closure reads of an asset; nil if another process has removed the asset in the meantime, unless
    /// it is the only one of the command.
    func unlessRemoved<Value>(
        among identifiers: [String], _ read: () throws -> Value
    ) throws -> Value? {
        do {
            return try read()
        } catch let error as LibraryError where error.code == .noSuchAsset && identifiers.count > 1
        {
            return nil
        }
    }
}
