// SPDX-License-Identifier: Apache-2.0

// A plug-in imports EditingExtensionAPI and has pictures and the C contract with it.
@_exported import CEditingExtension
@_exported import Vips
