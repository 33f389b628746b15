// SPDX-License-Identifier: Apache-2.0

/// The README, which is similar in all languages.
extension ExtensionTemplate {
    static let readme = #"""
        # @NAME@

        An extension of edithost. Replace this sentence with a description of its effect.

        ```
        make
        edithost extensions run . --input fig.jpg --output out.png
        make test
        make install
        ```

        * `@SOURCE@` is the extension. Its parameters are declared only there: `make` generates `manifest.json` from the
          library with `edithost extensions manifest`.
        * `edithost extensions show @IDENTIFIER@` lists the parameters of the installed extension.
          `--set NAME=VALUE` sets one.
        * `@TEST@` runs the extension in its own process. `make test` runs it, and `make debug` runs it under gdb.
        * `edithost extensions run . --watch --input fig.jpg --output out.png` builds and re-renders when a source changes.
        * `gdb --args edithost extensions run . --in-process --input fig.jpg --output out.png` debugs it on a real photo.
        @ADVICE@
        ## Before you publish it

        1. Correct the author, the license and the description in `@SOURCE@`, and describe the effect here.
        2. Check it for mistakes: `make validate`, or `edithost extensions validate .`
        3. Make an archive: `make package` writes it to `dist`, and `edithost extensions package .` to this folder.

        """#
}
