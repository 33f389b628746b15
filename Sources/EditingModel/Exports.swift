// SPDX-License-Identifier: Apache-2.0

// Whoever works with photographs and their edits has the values that plug-ins see with them.
@_exported import EditingValues
