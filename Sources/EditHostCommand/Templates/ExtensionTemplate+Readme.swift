// SPDX-License-Identifier: Apache-2.0

/// The README, which is similar in all languages.
extension ExtensionTemplate {
    static let readme = #"""
        # @NAME@

        An extension of edithost, which multiplies the pixels of a picture by `gain` and adds `lift`.

        ```
        make
        edithost extensions run @NAME@.editingextension --input fig.jpg --output out.png --set gain=1.2
        make install
        ```

        * `@SOURCE@` is the extension. Its parameters are declared only there: `make` generates `manifest.json` from the
          library with `edithost extensions manifest`.
        * Before you publish it, correct the author, the license and the description in `@SOURCE@`.
        * `@TEST@` runs the extension in its own process. `make test` runs it, and `make debug` runs it under gdb.
        * `edithost extensions run . --watch --input fig.jpg --output out.png` builds and renders again when a source changes.
        * `gdb --args edithost extensions run . --in-process --input fig.jpg --output out.png` debugs it on a real photo.

        """#
}
