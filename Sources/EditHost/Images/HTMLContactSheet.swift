// SPDX-License-Identifier: Apache-2.0

import EditingModel
import Foundation

/// A contact sheet as an HTML page, which a browser shows as one grid and prints as pages. The page has no scripts and
/// loads nothing, and a content security policy forbids both. It is also well-formed XML.
struct HTMLContactSheet: ContactSheet {
    /// The size of the box of each picture, in pixels.
    let cell: PixelSize

    var head: Data { Data(headText.utf8) }

    private var headText: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
        style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Contact sheet</title>
        <style>
        \(style)
        </style>
        </head>
        <body>
        <main>
        <h1>Contact sheet</h1>
        <div>

        """
    }

    func end() -> Data { Data("</div>\n</main>\n</body>\n</html>\n".utf8) }

    /// The boxes have one size, so that the captions of a row are aligned. On paper, figures are words of a text, because
    /// no browser breaks a line of text across pages. A font size of 0 removes the spaces between them.
    private var style: String {
        """
        :root { color-scheme: light dark; font: 13px/1.4 sans-serif; }
        body { margin: 24px; }
        h1 { margin: 0 0 24px; font-size: 20px; }
        div {
          display: grid; grid-template-columns: repeat(auto-fill, min(100%, \(cell.width)px));
          gap: 24px 16px; justify-content: center;
        }
        figure { margin: 0; text-align: center; break-inside: avoid; }
        img, p {
          box-sizing: border-box; width: 100%; height: auto; margin: 0;
          aspect-ratio: \(cell.width) / \(cell.height);
        }
        img { display: block; object-fit: scale-down; }
        p { display: grid; place-items: center; border: 1px dashed; }
        figcaption { margin-top: 4px; overflow-wrap: anywhere; }
        @page {
          margin: 12mm;
          @bottom-center { content: counter(page); font: 9pt sans-serif; }
        }
        @media print {
          :root { color-scheme: light; }
          body { margin: 0; }
          h1 { margin: 0 0 4mm; }
          div { display: block; font-size: 0; }
          figure {
            display: inline-block; box-sizing: border-box; width: calc(100% / \(Self.printedColumns(of: cell)));
            padding: 0 2mm 4mm; vertical-align: top;
          }
          figcaption, p { font-size: 8pt; }
        }
        """
    }

    func entry(_ image: EncodedImage?, _ caption: [String]) -> Data {
        let lines = caption.map(\.markup)
        let content =
            image.map { picture($0, lines.joined(separator: ", ")) }
            ?? "<p>\(Self.failureNote)</p>"
        let label = lines.map { "<bdi>\($0)</bdi>" }.joined(separator: "<br />")
        return Data("<figure>\(content)<figcaption>\(label)</figcaption></figure>\n".utf8)
    }

    /// - Parameter description: The alternative text, as markup.
    private func picture(_ image: EncodedImage, _ description: String) -> String {
        "<img width=\"\(image.size.width)\" height=\"\(image.size.height)\" "
            + "alt=\"\(description)\" src=\"data:\(image.format.contentType);base64,"
            + image.data.base64EncodedString() + "\" />"
    }
}
