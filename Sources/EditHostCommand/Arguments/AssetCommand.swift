// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

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
}

extension AssetCommand {
    var assets: AssetSelection { AssetSelection(named: named, filters: filters, order: order) }

    func validate() throws { try assets.validate() }
}
