// SPDX-License-Identifier: Apache-2.0

/// Default descriptions that cameras and programs write into every picture.
enum DefaultDescriptions {
    /// Whether a description is a default one. It is ignored in all fields, because programs copy EXIF descriptions.
    static func contains(_ text: String) -> Bool {
        let text = text.trimmingBlanks.uppercased()
        return descriptions.contains(text)
            || text.hasPrefix("DCIM/") || text.hasPrefix("DCIM\\")
    }

    /// Whether an EXIF description is a default one. Some Huawei phones write the capture mode into it.
    static func containsInExif(_ text: String) -> Bool {
        contains(text) || modes.contains(text.trimmingBlanks)
    }

    /// The descriptions in upper case. Several other programs ignore the same ones.
    private static let descriptions: Set<String> = [
        "<DIGIMAX I5, SAMSUNG #1>", "BINARY COMMENT",
        "CHARSET=ASCII", "CREATED BY IMLIB", "DCIM", "DEFAULT", "DIGITAL CAMERA",
        "DIGITAL STILL CAMERA", "DVC 10.1 HDMI", "EXIF_JPEG_PICTURE", "ICLARIFIED",
        "JENOPTIK DIGITAL CAMERA", "KODAK DIGITAL STILL CAMERA", "KONICA MINOLTA DIGITAL CAMERA",
        "LG DIGITAL CAMERA", "MINOLTA DIGITAL CAMERA", "OLYMPUS DIGITAL CAMERA", "SAMSUNG",
        "SAMSUNG CAMERA PICTURES", "SAMSUNG DIGITAL CAMERA", "SCREENSHOT", "SONY DSC",
    ]

    private static let modes: Set<String> = [
        "btf", "btfhdr", "btfmdn", "btr", "burst", "cof", "dav", "edf", "fbt", "fbthdr", "frem",
        "frontbhdp", "fshbty", "hdrpl", "mde", "mde_soft", "mon", "nor", "oznor", "oznorWO", "ptr",
        "qrf", "rbt", "rhdr", "rpt", "sdr_HDRB",
    ]
}
