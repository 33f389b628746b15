// SPDX-License-Identifier: Apache-2.0

/// The contents of the files, with the placeholders `@NAME@` and `@IDENTIFIER@`.
extension ExtensionTemplate {
    static let manifest = """
        {
          "identifier": "@IDENTIFIER@",
          "name": "@NAME@",
          "version": "1.0",
          "abi": "1.0",
          "library": "lib@NAME@.so",
          "supportedMediaTypes": ["image"],
          "reads": [{ "formatIdentifier": "@IDENTIFIER@", "formatVersions": ["1.0"] }],
          "writes": [{ "formatIdentifier": "@IDENTIFIER@", "formatVersions": ["1.0"] }],
          "parameters": [
            {
              "name": "gain",
              "type": "number",
              "label": "Gain",
              "help": "The factor for red, green and blue.",
              "minimum": 0,
              "maximum": 4,
              "step": 0.01,
              "default": 1
            }
          ]
        }

        """

    // Interpolated so that tools do not take it for an import of this module.
    static let swiftSource = """
        \("import") EditingExtensionAPI

        /// Its stored properties are the parameters of the manifest.
        struct Filter: PhotoFilter {
            static let identifier = "@IDENTIFIER@"
            static let version = "1.0"

            /// The factor for red, green and blue; 1 changes nothing.
            var gain = 1.0

            func apply(to image: Image, context: PhotoFilterContext) throws -> Image {
                // An image has 3 bands, or 4: the last is alpha and stays as it is.
                let factors = [gain, gain, gain, 1].prefix(image.bands)
                return try image.applying("linear", ["a": .doubles(Array(factors)), "b": 0])
            }
        }

        /// The one symbol that the library exports.
        @c(editing_extension_entry)
        public func entry(_ host: UnsafePointer<ee_host>) -> UnsafePointer<ee_entry>? {
            EditingExtension.entry(Filter.self, host: host)
        }

        """

    static let swiftMakefile = makefile(
        """
        $(EXTENSION)/lib@NAME@.so: @NAME@.swift
        \tmkdir -p $(EXTENSION)
        \tswiftc @$(shell pkg-config --variable=sdkdir edithost)/flags -o $@ @NAME@.swift
        """)

    static let cMakefile = makefile(
        """
        $(EXTENSION)/lib@NAME@.so: @NAME@.c
        \tmkdir -p $(EXTENSION)
        \tcc -std=c11 -O2 -Wall -Wextra -Wno-unused-parameter -fPIC -shared -fvisibility=hidden \\
        \t    -o $@ @NAME@.c `pkg-config --cflags --libs edithost`
        """)

    private static func makefile(_ library: String) -> String {
        """
        # make            builds @NAME@.editingextension
        # make install    installs it for you; edithost edit ID --with @IDENTIFIER@ uses it

        EXTENSION = @NAME@.editingextension

        all: $(EXTENSION)/lib@NAME@.so $(EXTENSION)/manifest.json

        \(library)

        $(EXTENSION)/manifest.json: manifest.json
        \tmkdir -p $(EXTENSION)
        \tcp manifest.json $@

        install: all
        \tedithost extensions install --replace $(EXTENSION)

        clean:
        \trm -rf $(EXTENSION)

        .PHONY: all install clean

        """
    }

    static let cSource = """
        #include <editing_extension.h>
        #include <vips/vips.h>

        #define ID "@IDENTIFIER@"

        static const ee_parameters *parameters; /* the host's: reads values and changes them */

        struct ee_controller { /* one edit */
            const ee_input *input;
            char values[256]; /* of the parameters, a JSON object, which is the recipe too */
        };

        /* The whole filter. It only describes the result. Takes the image's reference, gives one away. */
        static ee_status apply(ee_controller *self, VipsImage *image, VipsImage **result, ee_error *error)
        {
            double gain = 1, none[4] = {0};
            parameters->number(self->values, strlen(self->values), "gain", &gain);
            double factors[4] = {gain, gain, gain, 1}; /* the fourth is alpha */
            int status = vips_linear(image, result, factors, none, vips_image_get_bands(image), NULL);
            g_object_unref(image);
            if (status) g_strlcpy(error->message, vips_error_buffer(), sizeof error->message);
            return status ? EE_FAILED : EE_OK;
        }

        static ee_status create(const ee_host *host, ee_controller **self, ee_error *error)
        {
            *self = g_new0(ee_controller, 1);
            g_strlcpy((*self)->values, "{\\"gain\\":1}", sizeof (*self)->values);
            return EE_OK;
        }

        static void destroy(ee_controller *self)
        {
            g_free(self);
        }

        static ee_status can_handle(
            ee_controller *self, const ee_adjustment *recipe, bool *answer, ee_error *error)
        {
            *answer = g_str_equal(recipe->format_identifier, ID) &&
                      g_str_equal(recipe->format_version, "1.0");
            return EE_OK;
        }

        static ee_status set_parameters(
            ee_controller *self, const char *json, size_t size, ee_error *error)
        {
            return parameters->merge(self->values, sizeof self->values, json, size, error);
        }

        static ee_status start(
            ee_controller *self, const ee_input *input, VipsImage *placeholder, ee_error *error)
        {
            const ee_adjustment *recipe = input->adjustment;
            self->input = input;
            bool fails = recipe && set_parameters(self, recipe->data, recipe->size, error);
            return fails ? EE_BAD_ADJUSTMENT : EE_OK;
        }

        static ee_status get_parameters(ee_controller *self, const char **json, ee_error *error)
        {
            *json = self->values;
            return EE_OK;
        }

        static ee_status render_preview(
            ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
        {
            VipsImage *input;
            ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
            return status ? status : apply(self, input, image, error);
        }

        static ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
        {
            ee_output output = {
                sizeof output, .adjustment = {ID, "1.0", self->values, strlen(self->values)}};
            VipsImage *full;
            ee_status status =
                self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &full, error);
            if (status) return status;
            status = apply(self, full, &output.image, error);
            if (status) return status;
            completion->complete(completion, EE_OK, &output, NULL);
            g_object_unref(output.image); /* the host has taken its own reference */
            return EE_OK;
        }

        static void cancel(ee_controller *self)
        {
            /* Nothing is under way between calls. */
        }

        static bool should_show_cancel_confirmation(ee_controller *self)
        {
            return false;
        }

        static const ee_photo_editing photo_editing = {
            sizeof photo_editing, create, destroy, can_handle, start, get_parameters, set_parameters,
            render_preview, finish, cancel, should_show_cancel_confirmation};

        static const void *get_capability(const char *id)
        {
            return g_str_equal(id, EE_CAPABILITY_PHOTO_EDITING) ? &photo_editing : NULL;
        }

        static const ee_entry entry = {
            sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, ID, "1.0", get_capability};

        /* The one symbol that the library exports. */
        const ee_entry *editing_extension_entry(const ee_host *host)
        {
            parameters = host->get_capability(host, EE_CAPABILITY_PARAMETERS);
            return parameters ? &entry : NULL;
        }

        """
}
