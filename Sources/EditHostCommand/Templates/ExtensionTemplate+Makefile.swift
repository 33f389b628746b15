// SPDX-License-Identifier: Apache-2.0

/// The Makefile, and the commands of each language in it.
extension ExtensionTemplate {
    /// The variables of the Makefile, and the commands that build the library and the test.
    struct BuildCommands {
        let variables: String
        /// The compiler and its options for both the library and the test.
        let compile: String
        let library: String
        let program: String
    }

    /// The commands for the language of the template.
    var buildCommands: BuildCommands {
        switch language {
        case .swift:
            BuildCommands(
                variables: "SDK = $(shell pkg-config --variable=sdkdir edithost)",
                compile: "swiftc -file-prefix-map \"$(CURDIR)=.\"",
                library: Self.requiring("edithost", "$(COMPILE) @$(SDK)/flags -o $@ @SOURCE@"),
                program: Self.requiring(
                    "edithost", "$(COMPILE) @$(SDK)/test-flags -o $@ @SOURCE@ @TEST@"))
        case .c:
            compiled(
                by: "$(CC) $(CFLAGS) -Werror=incompatible-pointer-types",
                variables: "CFLAGS = -std=c11 -O2 -g -Wall -Wextra -Wno-unused-parameter")
        case .cpp:
            compiled(
                by: "$(CXX) $(CXXFLAGS)", variables: "CXXFLAGS = -std=c++17 -O2 -g -Wall -Wextra")
        // Only rustc is needed. A panic must not unwind into the host.
        case .rust:
            BuildCommands(
                variables: "RUSTFLAGS = --edition 2021 -g -C panic=abort",
                compile: "rustc $(RUSTFLAGS) --remap-path-prefix \"$(CURDIR)=.\"",
                library: "$(COMPILE) -O --crate-type cdylib -o $@ lib.rs",
                program: Self.requiring(
                    "edithost-testing",
                    "$(COMPILE) -o $@ @TEST@ -C link-args=\"`pkg-config --libs edithost-testing`\""
                ))
        }
    }

    /// Returns the commands for a compiler that is called like that of C.
    private func compiled(by compiler: String, variables: String) -> BuildCommands {
        BuildCommands(
            variables: variables,
            // Products and sums are rounded separately, as on processors without a fused operation.
            compile: compiler + " -ffp-contract=off -ffile-prefix-map=\"$(CURDIR)=.\"",
            library: Self.requiring(
                "edithost",
                "$(COMPILE) -fPIC -shared -fvisibility=hidden -o $@ @SOURCE@ "
                    + "`pkg-config --cflags --libs edithost`"),
            program: Self.requiring(
                "edithost-testing",
                "$(COMPILE) -O0 -o $@ @TEST@ @SOURCE@ "
                    + "`pkg-config --cflags --libs edithost-testing`"))
    }

    /// Returns the lines of a rule that fails before the command if a module of pkg-config is missing.
    private static func requiring(_ module: String, _ command: String) -> String {
        "@pkg-config --print-errors --exists \(module)\n\t\(command)"
    }

    static let makefile = #"""
        # make                   builds @NAME@.editingextension
        # make test              builds and runs the test
        # make debug             runs the test under gdb
        # make install           installs the extension for you; edithost edit ID --with @IDENTIFIER@ uses it
        # make validate          checks the extension for mistakes
        # make package           makes an archive in dist, which others can install

        EDITHOST = edithost
        EXTENSION = @NAME@.editingextension
        @VARIABLES@
        # The library does not contain the path of this folder.
        COMPILE = @COMPILE@

        all: $(EXTENSION)/manifest.json

        # Generated from the parameters in the code.
        $(EXTENSION)/manifest.json: $(EXTENSION)/lib@NAME@.so
        	$(EDITHOST) extensions manifest $< >$@

        $(EXTENSION)/lib@NAME@.so: @SOURCES@ build/.compile
        	mkdir -p $(EXTENSION)
        	@LIBRARY@

        build/test: @TEST@ @SOURCES@ build/.compile
        	@PROGRAM@

        # Changes if the compiler or its options change.
        build/.compile: export TEXT = $(COMPILE)
        build/.compile: FORCE
        	@mkdir -p build
        	@echo "$$TEXT" | cmp -s - $@ || echo "$$TEXT" >$@

        test: build/test
        	build/test

        debug: build/test
        	gdb -ex start build/test

        install: all
        	$(EDITHOST) extensions install --replace $(EXTENSION)

        validate: all
        	$(EDITHOST) extensions validate $(EXTENSION)

        package: all
        	mkdir -p dist
        	$(EDITHOST) extensions package --output dist $(EXTENSION)

        clean:
        	rm -rf $(EXTENSION) build dist

        .PHONY: all test debug install validate package clean FORCE
        .DELETE_ON_ERROR:

        """#
}
