// SPDX-License-Identifier: Apache-2.0

// Code that works with photos and their edits also needs the values that extensions see.
@_exported import EditingValues
