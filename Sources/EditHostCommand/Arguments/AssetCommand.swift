// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A command that works on several assets: those named, those that a filter finds, or all.
///
/// Its groups of options lie next to each other and not in one group: debug builds of ArgumentParser validate
/// a nested group again at each level, which took most of the time of a short command.
protocol AssetCommand: AsyncParsableCommand {
    var named: NamedAssets { get }
    var filters: FilterOptions { get }
    var order: OrderOptions { get }
}

extension AssetCommand {
    var assets: AssetSelection { AssetSelection(named: named, filters: filters, order: order) }

    func validate() throws { try assets.validate() }
}
