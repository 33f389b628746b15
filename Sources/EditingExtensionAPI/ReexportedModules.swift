// SPDX-License-Identifier: Apache-2.0

// `import EditingExtensionAPI` is all a plug-in needs: it re-exports the C contract, the editing values and
// images.
@_exported import CEditingExtension
@_exported import EditingValues
@_exported import Vips
