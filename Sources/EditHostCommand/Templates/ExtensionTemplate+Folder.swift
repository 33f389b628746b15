// SPDX-License-Identifier: Apache-2.0

/// The files that are similar in all languages.
extension ExtensionTemplate {
    static let makefile = #"""
        # make                   builds @NAME@.editingextension
        # make test              builds and runs the test
        # make debug             runs the test under gdb
        # make install           installs the extension for you; edithost edit ID --with @IDENTIFIER@ uses it

        EDITHOST = edithost
        EXTENSION = @NAME@.editingextension
        @VARIABLES@

        all: $(EXTENSION)/manifest.json

        # Generated from the parameters in the code.
        $(EXTENSION)/manifest.json: $(EXTENSION)/lib@NAME@.so
        	$(EDITHOST) extensions manifest $< >$@

        $(EXTENSION)/lib@NAME@.so: @SOURCES@
        	mkdir -p $(EXTENSION)
        	@LIBRARY@

        build/test: @TEST@ @SOURCES@
        	mkdir -p build
        	@PROGRAM@

        test: build/test
        	build/test

        debug: build/test
        	gdb -ex start build/test

        install: all
        	$(EDITHOST) extensions install --replace $(EXTENSION)

        clean:
        	rm -rf $(EXTENSION) build

        .PHONY: all test debug install clean
        .DELETE_ON_ERROR:

        """#

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
