// SPDX-License-Identifier: Apache-2.0

/// The Makefile, and the commands of each language in it.
extension ExtensionTemplate {
    /// The variables of the Makefile, and the commands that build the library and the test.
    struct BuildCommands {
        let variables: String
        let library: String
        let program: String
    }

    /// The commands for the language of the template.
    var buildCommands: BuildCommands {
        switch language {
        case .swift:
            BuildCommands(
                variables: "SDK = $(shell pkg-config --variable=sdkdir edithost)",
                library: "swiftc @$(SDK)/flags -o $@ @SOURCE@",
                program: "swiftc @$(SDK)/test-flags -o $@ @SOURCE@ @TEST@")
        case .c:
            compile(
                "$(CC) $(CFLAGS)",
                variables: "CFLAGS = -std=c11 -O2 -g -Wall -Wextra -Wno-unused-parameter")
        case .cpp:
            compile(
                "$(CXX) $(CXXFLAGS)", variables: "CXXFLAGS = -std=c++17 -O2 -g -Wall -Wextra")
        // Only rustc is needed. A panic must not unwind into the host.
        case .rust:
            BuildCommands(
                variables: "RUSTFLAGS = --edition 2021 -g -C panic=abort",
                library: "rustc $(RUSTFLAGS) -O --crate-type cdylib -o $@ lib.rs",
                program: "rustc $(RUSTFLAGS) -o $@ @TEST@ "
                    + "-C link-args=\"`pkg-config --libs edithost-testing`\"")
        }
    }

    /// Returns the commands for a compiler that is called like that of C.
    private func compile(_ compiler: String, variables: String) -> BuildCommands {
        BuildCommands(
            variables: variables,
            // Products and sums are rounded separately, as on processors without a fused operation.
            library: compiler + " -ffp-contract=off -fPIC -shared -fvisibility=hidden -o $@ "
                + "@SOURCE@ `pkg-config --cflags --libs edithost`",
            program: compiler + " -O0 -o $@ @TEST@ @SOURCE@ "
                + "`pkg-config --cflags --libs edithost-testing`")
    }

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
}
