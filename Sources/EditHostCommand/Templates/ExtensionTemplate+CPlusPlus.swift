// SPDX-License-Identifier: Apache-2.0

/// The extension in C++.
extension ExtensionTemplate {
    static let cPlusPlusSource = #"""
        #include <editing_extension.h>
        #include <vips/vips.h>

        #include <cstdio>
        #include <cstring>
        #include <string>

        namespace {

        constexpr char id[] = "@IDENTIFIER@";

        /* The parameters. The manifest is generated from this table. */
        constexpr struct {
            const char *name, *label, *help;
            double minimum, maximum, value; /* the default value */
        } table[] = {
            {"gain", "Gain", "The factor for red, green and blue.", 0, 4, 1},
            {"lift", "Lift", "What is added to red, green and blue; 1 is white.", -1, 1, 0},
        };

        const ee_parameters *parameters; /* the host's: reads values and changes them */

        std::string text(double number)
        {
            char digits[32];
            std::snprintf(digits, sizeof digits, "%g", number);
            return digits;
        }

        /* The default values as a JSON object. */
        std::string defaults()
        {
            std::string json;
            for (const auto &row : table)
                json += (json.empty() ? "{\"" : ",\"") + std::string(row.name) + "\":" + text(row.value);
            return json + "}";
        }

        ee_status fail(ee_error *error)
        {
            std::snprintf(error->message, sizeof error->message, "%s", vips_error_buffer());
            g_strchomp(error->message); /* libvips ends each line with a newline */
            vips_error_clear();
            return EE_FAILED;
        }

        } // namespace

        /* One edit. */
        struct ee_controller {
            const ee_input *input = nullptr;
            char values[256]; /* of the parameters, a JSON object, which is the recipe too */

            ee_controller() { std::snprintf(values, sizeof values, "%s", defaults().c_str()); }

            double number(const char *name) const
            {
                double value = 0;
                parameters->number(values, std::strlen(values), name, &value);
                return value;
            }

            /* The whole filter. It only describes the result, whose samples may be floating point: the host rounds
             * and clips them. Consumes the image's reference and returns a new one. */
            ee_status apply(VipsImage *image, VipsImage **result, ee_error *error) const
            {
                bool is8Bit = vips_image_get_format(image) == VIPS_FORMAT_UCHAR;
                double gain = number("gain"), lift = number("lift") * (is8Bit ? 255 : 65535);
                double factors[] = {gain, gain, gain, 1}, offsets[] = {lift, lift, lift, 0}; /* the fourth is alpha */
                int status = vips_linear(
                    image, result, factors, offsets, vips_image_get_bands(image), nullptr);
                g_object_unref(image);
                return status ? fail(error) : EE_OK;
            }
        };

        namespace {

        /* The host's calls. They must not throw. */

        ee_status create(const ee_host *, ee_controller **self, ee_error *)
        {
            *self = new ee_controller;
            return EE_OK;
        }

        void destroy(ee_controller *self) { delete self; }

        ee_status can_handle(ee_controller *, const ee_adjustment *recipe, bool *answer, ee_error *)
        {
            *answer = !std::strcmp(recipe->format_identifier, id) &&
                      !std::strcmp(recipe->format_version, "1.0");
            return EE_OK;
        }

        ee_status set_parameters(ee_controller *self, const char *json, size_t size, ee_error *error)
        {
            return parameters->merge(self->values, sizeof self->values, json, size, error);
        }

        ee_status start(ee_controller *self, const ee_input *input, VipsImage *, ee_error *error)
        {
            const ee_adjustment *recipe = input->adjustment;
            self->input = input;
            bool fails = recipe && set_parameters(
                                       self, static_cast<const char *>(recipe->data), recipe->size, error);
            return fails ? EE_BAD_ADJUSTMENT : EE_OK;
        }

        ee_status get_parameters(ee_controller *self, const char **json, ee_error *)
        {
            *json = self->values;
            return EE_OK;
        }

        ee_status render_preview(
            ee_controller *self, const ee_preview *preview, VipsImage **image, ee_error *error)
        {
            VipsImage *input;
            ee_status status = preview->image(preview, EE_ACCESS_SEQUENTIAL, &input, error);
            return status ? status : self->apply(input, image, error);
        }

        ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
        {
            ee_output output = {};
            VipsImage *full;
            ee_status status =
                self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &full, error);
            if (status || (status = self->apply(full, &output.image, error)))
                return status;
            output.struct_size = sizeof output;
            output.adjustment = {id, "1.0", self->values, std::strlen(self->values)};
            completion->complete(completion, EE_OK, &output, nullptr);
            g_object_unref(output.image); /* the host has taken its own reference */
            return EE_OK;
        }

        void cancel(ee_controller *) {} /* nothing is in flight between calls */

        bool should_show_cancel_confirmation(ee_controller *) { return false; }

        const ee_photo_editing photo_editing = {
            sizeof photo_editing, create, destroy, can_handle, start, get_parameters, set_parameters,
            render_preview, finish, cancel, should_show_cancel_confirmation};

        /* The manifest, for `edithost extensions manifest`. */
        const char *manifest_json()
        {
            static std::string json;
            std::string rows;
            for (const auto &row : table) {
                rows += rows.empty() ? "" : ",";
                rows += std::string("{\"name\":\"") + row.name + "\",\"type\":\"number\",\"label\":\"" +
                        row.label + "\",\"help\":\"" + row.help + "\",\"minimum\":" + text(row.minimum) +
                        ",\"maximum\":" + text(row.maximum) + ",\"step\":0.01,\"default\":" +
                        text(row.value) + "}";
            }
            std::string format = std::string("[{\"formatIdentifier\":\"") + id + "\",\"formatVersions\":[\"1.0\"]}]";
            json = std::string("{\"identifier\":\"") + id +
                   "\",\"name\":\"@NAME@\",\"version\":\"1.0\",\"abi\":\"1.0\","
                   "\"author\":\"The authors of @NAME@\",\"license\":\"MIT\","
                   "\"description\":\"Multiplies the colours of a picture by a gain and adds a lift.\","
                   "\"supportedMediaTypes\":[\"image\"],\"reads\":" + format + ",\"writes\":" + format +
                   ",\"parameters\":[" + rows + "]}";
            return json.c_str();
        }

        const ee_manifest manifest = {sizeof manifest, manifest_json};

        const void *get_capability(const char *capability)
        {
            if (!std::strcmp(capability, EE_CAPABILITY_MANIFEST)) return &manifest;
            return std::strcmp(capability, EE_CAPABILITY_PHOTO_EDITING) ? nullptr : &photo_editing;
        }

        const ee_entry entry = {sizeof entry, EE_ABI_MAJOR, EE_ABI_MINOR, id, "1.0", get_capability};

        } // namespace

        /* The one symbol that the library exports, under its name in C. */
        extern "C" const ee_entry *editing_extension_entry(const ee_host *host)
        {
            parameters = static_cast<const ee_parameters *>(
                host->get_capability(host, EE_CAPABILITY_PARAMETERS));
            return parameters ? &entry : nullptr;
        }

        """#
}
