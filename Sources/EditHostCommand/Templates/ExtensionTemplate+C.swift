// SPDX-License-Identifier: Apache-2.0

/// The extension in C and its test.
extension ExtensionTemplate {
    static let cSource = #"""
        #include <editing_extension.h>
        #include <vips/vips.h>

        #define ID "@IDENTIFIER@"

        /* The parameters. The manifest is generated from this table. */
        static const struct {
            const char *name, *label, *help;
            double minimum, maximum, value; /* the default value */
        } table[] = {
            {"gain", "Gain", "The factor for red, green and blue.", 0, 4, 1},
            {"lift", "Lift", "What is added to red, green and blue; 1 is white.", -1, 1, 0},
        };

        static const ee_parameters *parameters; /* the host's: reads values and changes them */

        struct ee_controller { /* one edit */
            const ee_input *input;
            char values[256]; /* of the parameters, a JSON object, which is the recipe too */
        };

        /* The whole filter. It only describes the result, whose samples may be floating point: the host rounds and
         * clips them. Consumes the image's reference and returns a new one. */
        static ee_status apply(ee_controller *self, VipsImage *image, VipsImage **result, ee_error *error)
        {
            double gain = 1, lift = 0, white = vips_image_get_format(image) == VIPS_FORMAT_UCHAR ? 255 : 65535;
            parameters->number(self->values, strlen(self->values), "gain", &gain);
            parameters->number(self->values, strlen(self->values), "lift", &lift);
            lift *= white;
            double factors[4] = {gain, gain, gain, 1}, offsets[4] = {lift, lift, lift, 0}; /* the fourth is alpha */
            int status = vips_linear(image, result, factors, offsets, vips_image_get_bands(image), NULL);
            g_object_unref(image);
            if (status) {
                g_strlcpy(error->message, vips_error_buffer(), sizeof error->message);
                g_strchomp(error->message); /* libvips ends each line with a newline */
                vips_error_clear();
            }
            return status ? EE_FAILED : EE_OK;
        }

        static ee_status create(const ee_host *host, ee_controller **self, ee_error *error)
        {
            char *values = (*self = g_new0(ee_controller, 1))->values;
            for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
                g_snprintf(values + strlen(values), sizeof (*self)->values - strlen(values), "%c\"%s\":%g",
                           i ? ',' : '{', table[i].name, table[i].value);
            g_strlcat(values, "}", sizeof (*self)->values);
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
            /* Nothing is in flight between calls. */
        }

        static bool should_show_cancel_confirmation(ee_controller *self)
        {
            return false;
        }

        static const ee_photo_editing photo_editing = {
            sizeof photo_editing, create, destroy, can_handle, start, get_parameters, set_parameters,
            render_preview, finish, cancel, should_show_cancel_confirmation};

        /* The manifest, for `edithost extensions manifest`. Called once. */
        static const char *manifest_json(void)
        {
            GString *json = g_string_new(
                "{\"identifier\":\"" ID "\",\"name\":\"@NAME@\",\"version\":\"1.0\",\"abi\":\"1.0\","
                "\"author\":\"The authors of @NAME@\",\"license\":\"MIT\","
                "\"description\":\"Multiplies the colours of a picture by a gain and adds a lift.\","
                "\"supportedMediaTypes\":[\"image\"],"
                "\"reads\":[{\"formatIdentifier\":\"" ID "\",\"formatVersions\":[\"1.0\"]}],"
                "\"writes\":[{\"formatIdentifier\":\"" ID "\",\"formatVersions\":[\"1.0\"]}],"
                "\"parameters\":[");
            for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
                g_string_append_printf(
                    json,
                    "%s{\"name\":\"%s\",\"type\":\"number\",\"label\":\"%s\",\"help\":\"%s\","
                    "\"minimum\":%g,\"maximum\":%g,\"step\":0.01,\"default\":%g}",
                    i ? "," : "", table[i].name, table[i].label, table[i].help, table[i].minimum,
                    table[i].maximum, table[i].value);
            g_string_append(json, "]}");
            return g_string_free(json, FALSE);
        }

        static const ee_manifest manifest = {sizeof manifest, manifest_json};

        static const void *get_capability(const char *id)
        {
            if (g_str_equal(id, EE_CAPABILITY_MANIFEST)) return &manifest;
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

        """#

    /// The test of the extensions in C and C++.
    static let cTest = #"""
        #include <editing_extension_testing.h>

        /* The sample that the filter makes of another, in plain arithmetic. */
        static double expected(double sample, double gain, double lift)
        {
            double value = sample * gain + 255 * lift;
            return value < 0 ? 0 : value > 255 ? 255 : value;
        }

        static void test_samples(const ee_test_picture *input, const ee_test_picture *output)
        {
            for (uint32_t y = 0; y < input->height; y++)
                for (uint32_t x = 0; x < input->width; x++)
                    for (uint32_t band = 0; band < 3; band++) {
                        double wanted = expected(ee_test_sample(input, x, y, band), 0.5, 0.1);
                        double difference = wanted - ee_test_sample(output, x, y, band);
                        EE_TEST_REQUIRE(difference >= -0.5001 && difference <= 0.5001);
                    }
        }

        int main(void)
        {
            ee_test_extension *filter = ee_test_use(editing_extension_entry, "@IDENTIFIER@", "1.0");
            EE_TEST_REQUIRE(filter);
            ee_test_picture *input = ee_test_gradient(64, 48, 3, 8);
            const char json[] = "{\"gain\": 0.5, \"lift\": 0.1}";

            /* With the default values, nothing changes. Remove this if your filter changes the picture by default. */
            ee_test_picture *same = ee_test_render(filter, input, NULL);
            EE_TEST_REQUIRE(same && ee_test_same(same, input, 0));

            ee_test_edit *edit = ee_test_start(filter, input, NULL);
            EE_TEST_REQUIRE(edit && ee_test_set(edit, json));
            ee_test_picture *output = ee_test_finish(edit);
            EE_TEST_REQUIRE(output);
            test_samples(input, output);

            /* The recipe gives the same pixels again. */
            ee_test_picture *again = ee_test_render(filter, input, ee_test_recipe(edit));
            EE_TEST_REQUIRE(again && ee_test_same(again, output, 0));
            EE_TEST_REQUIRE(ee_test_end(edit));

            /* So does a recipe that was written by hand, or by an earlier version. */
            const ee_adjustment recipe = {"@IDENTIFIER@", "1.0", json, sizeof json - 1};
            ee_test_picture *given = ee_test_render(filter, input, &recipe);
            EE_TEST_REQUIRE(given && ee_test_same(given, output, 0));

            ee_test_picture_free(given);
            ee_test_picture_free(again);
            ee_test_picture_free(output);
            ee_test_picture_free(same);
            ee_test_picture_free(input);
            puts("passed");
            return 0;
        }

        """#
}
