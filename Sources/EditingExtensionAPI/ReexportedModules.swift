// SPDX-License-Identifier: Apache-2.0

// `import EditingExtensionAPI` is the only import that an extension needs: this module re-exports the C contract, the
// editing values and images.
@_exported import CEditingExtension
@_exported import EditingValues
@_exported import Vips
