// SPDX-License-Identifier: Apache-2.0

import CVips

// Replacements for macros of the libvips headers, which Swift does not import.

extension VipsImage {
    /// VIPS_IMAGE_SIZEOF_PEL: the size of a pixel in bytes.
    var bytesPerPixel: Int { Int(Bands) * (BandFormat(rawValue: BandFmt.rawValue)?.size ?? 1) }
}

extension UnsafeMutablePointer<VipsRegion> {
    /// VIPS_REGION_ADDR: the address of the pixel at these coordinates, which must be in the region.
    func address(left: Int32, top: Int32) -> UnsafeMutableRawPointer? {
        let region = pointee
        let rows = Int(top - region.valid.top) * Int(region.bpl)
        let columns = Int(left - region.valid.left) * region.im.pointee.bytesPerPixel
        return UnsafeMutableRawPointer(region.data)?.advanced(by: rows + columns)
    }
}
