// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// What kinds of picture it says that the picture is. That a gain map is there as well is believed; for
    /// videos there is ``MotionVideo``.
    var mediaSubtypes: MediaSubtype {
        var subtypes = auxiliarySubtypes
        if isSpherical { subtypes.insert(.photoPanorama) }
        if isPortrait { subtypes.insert(.photoDepthEffect) }
        if localizedText("exif:UserComment") == Self.screenshot {
            subtypes.insert(.photoScreenshot)
        }
        return subtypes
    }

    /// What it says of a picture that is kept beside another one: that it is the other's gain map, or
    /// shows what of it is in front. A picture that has such a one may say so too.
    var auxiliarySubtypes: MediaSubtype {
        var subtypes = Self.auxiliarySubtypes(localizedText("apdi:AuxiliaryImageType"))
        if value("hdrgm:Version") != nil || value("HDRGainMap:HDRGainMapVersion") != nil {
            subtypes.insert(.photoHDR)
        }
        return subtypes
    }

    /// The kind of a photograph that has a picture of this use beside it.
    static func auxiliarySubtypes(_ type: String?) -> MediaSubtype {
        switch type {
        case "urn:com:apple:photo:2020:aux:hdrgainmap": .photoHDR
        case "urn:com:apple:photo:2018:aux:portraiteffectsmatte": .photoDepthEffect
        default: []
        }
    }

    /// The comment that Apple's systems write.
    static let screenshot = "Screenshot"

    /// A panorama by the properties that Google's cameras began to write.
    private var isSpherical: Bool {
        value("GPano:ProjectionType") != nil
            && value("GPano:UsePanoramaViewer")?.lowercased() != "false"
    }

    /// A portrait with an artificial depth of field, as Google's cameras call it.
    private var isPortrait: Bool {
        ["GCamera:SpecialTypeID", "Camera:SpecialTypeID"].contains { property in
            items(property).contains { $0.hasSuffix(".SpecialType-PORTRAIT") }
        }
    }
}
