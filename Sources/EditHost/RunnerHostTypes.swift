// SPDX-License-Identifier: Apache-2.0

import RunnerHost

// The public types of RunnerHost, which is not a product. Programs need to import only EditHost.

/// An error of the host, with a code to match on and a message for the user.
public typealias HostError = RunnerHost.HostError
/// The resource limits of an extension.
public typealias ExtensionBudget = RunnerHost.ExtensionBudget
/// The resource limits of all extensions.
public typealias ExtensionBudgets = RunnerHost.ExtensionBudgets
/// An extension found in one of the searched folders.
public typealias InstalledExtension = RunnerHost.InstalledExtension
