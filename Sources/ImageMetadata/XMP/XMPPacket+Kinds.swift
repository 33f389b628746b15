// SPDX-License-Identifier: Apache-2.0

import EditingModel

extension XMPPacket {
    /// The media subtypes declared in the packet. A declared gain map is accepted without checking the file. Videos
    /// are verified by ``MotionVideo``.
    var mediaSubtypes: MediaSubtype {
        var subtypes = auxiliarySubtypes
        if isSpherical { subtypes.insert(.photoPanorama) }
        if isPortrait { subtypes.insert(.photoDepthEffect) }
        if localizedText("exif:UserComment") == Self.screenshot {
            subtypes.insert(.photoScreenshot)
        }
        return subtypes
    }

    /// The media subtypes that an auxiliary picture declares: it is the gain map or the portrait matte of another
    /// picture. A main picture with a gain map may declare it, too.
    var auxiliarySubtypes: MediaSubtype {
        var subtypes = Self.auxiliarySubtypes(localizedText("apdi:AuxiliaryImageType"))
        if value("hdrgm:Version") != nil || value("HDRGainMap:HDRGainMapVersion") != nil {
            subtypes.insert(.photoHDR)
        }
        return subtypes
    }

    /// Returns the subtype of a photograph with an auxiliary picture of this type.
    static func auxiliarySubtypes(_ type: String?) -> MediaSubtype {
        switch type {
        case "urn:com:apple:photo:2020:aux:hdrgainmap": .photoHDR
        case "urn:com:apple:photo:2018:aux:portraiteffectsmatte": .photoDepthEffect
        default: []
        }
    }

    /// The user comment that Apple systems write into screenshots.
    static let screenshot = "Screenshot"

    /// Whether the picture is a panorama by the properties that Google introduced.
    private var isSpherical: Bool {
        value("GPano:ProjectionType") != nil
            && value("GPano:UsePanoramaViewer")?.lowercased() != "false"
    }

    /// Whether the picture is a portrait with synthetic depth of field by Google's property.
    private var isPortrait: Bool {
        ["GCamera:SpecialTypeID", "Camera:SpecialTypeID"].contains { property in
            items(property).contains { $0.hasSuffix(".SpecialType-PORTRAIT") }
        }
    }
}
