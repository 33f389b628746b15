// SPDX-License-Identifier: Apache-2.0

// A plug-in imports EditingExtensionAPI and has the C contract, the values of an edit and pictures with
// it.
@_exported import CEditingExtension
@_exported import EditingValues
@_exported import Vips
