// SPDX-License-Identifier: Apache-2.0

/// What cameras and programs write as a description of every picture, which describes none.
enum CameraWords {
    /// Whether a description, wherever it stands, is none: programs copy what a camera wrote.
    static func contains(_ text: String) -> Bool {
        let text = text.trimmingBlanks.uppercased()
        return descriptions.contains(text)
            || text.hasPrefix("DCIM/") || text.hasPrefix("DCIM\\")
    }

    /// Whether EXIF's description is none: a phone of Huawei's writes there how it took the picture.
    static func containsInExif(_ text: String) -> Bool {
        contains(text) || modes.contains(text.trimmingBlanks)
    }

    /// In capitals. The list is that of several programs that leave such ones out, too.
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
