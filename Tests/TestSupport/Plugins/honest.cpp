// SPDX-License-Identifier: Apache-2.0
//
// A well-behaved plug-in in C++. It inverts colours with a thread for each half of the picture, and
// uses streams, exceptions and the standard library. With the parameter "fault" it throws an exception
// through the contract.
#include <editing_extension.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <future>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <vips/vips.h>

struct ee_controller {
    const ee_input *input = nullptr;
    VipsImage *output = nullptr;
    std::vector<std::uint8_t> pixels;
    std::string recipe;
    bool has_fault = false;
};

namespace {

ee_status fail(ee_error *error, const std::string &message)
{
    std::strncpy(error->message, message.c_str(), sizeof error->message - 1);
    return EE_FAILED;
}

ee_status create(const ee_host *, ee_controller **controller, ee_error *)
{
    *controller = std::make_unique<ee_controller>().release();
    return EE_OK;
}

void destroy(ee_controller *controller)
{
    std::unique_ptr<ee_controller> owned(controller);
    g_clear_object(&owned->output);
}

ee_status can_handle(ee_controller *, const ee_adjustment *recipe, bool *answer, ee_error *)
{
    static const std::regex own("org\\.example\\.honestcpp");
    *answer = std::regex_match(recipe->format_identifier, own);
    return EE_OK;
}

ee_status start(ee_controller *self, const ee_input *input, VipsImage *, ee_error *)
{
    self->input = input;
    return EE_OK;
}

ee_status get_parameters(ee_controller *self, const char **json, ee_error *)
{
    *json = self->has_fault ? "{\"fault\":true}" : "{\"fault\":false}";
    return EE_OK;
}

ee_status set_parameters(ee_controller *self, const char *json, std::size_t size, ee_error *)
{
    self->has_fault = std::string(json, size).find("true") != std::string::npos;
    return EE_OK;
}

void turn_around(std::uint8_t *first, std::uint8_t *last)
{
    std::transform(first, last, first, [](std::uint8_t sample) { return 255 - sample; });
}

/* Throws and catches an exception internally, as C++ code does for ordinary errors. */
std::string described(const ee_input *input)
{
    std::map<std::string, unsigned> sides{{"w", input->full_width}, {"h", input->full_height}};
    std::ostringstream text;
    try {
        text << sides.at("w") << 'x' << sides.at("h") << ' ' << sides.at("depth");
    } catch (const std::out_of_range &) {
        text << "no depth";
    }
    return text.str();
}

ee_status finish(ee_controller *self, const ee_completion *completion, ee_error *error)
{
    if (self->has_fault)
        throw std::runtime_error("nobody catches this");
    VipsImage *image = nullptr;
    ee_status status =
        self->input->full_size_image(self->input, EE_ACCESS_SEQUENTIAL, &image, error);
    if (status != EE_OK)
        return status;
    std::size_t size = 0;
    auto *bytes = static_cast<std::uint8_t *>(vips_image_write_to_memory(image, &size));
    const int width = image->Xsize, height = image->Ysize, bands = image->Bands;
    g_object_unref(image);
    if (!bytes)
        return fail(error, vips_error_buffer());
    self->pixels.assign(bytes, bytes + size);
    g_free(bytes);
    std::uint8_t *first = self->pixels.data(), *middle = first + size / 2, *last = first + size;
    auto upper = std::async(std::launch::async, turn_around, first, middle);
    std::thread lower(turn_around, middle, last);
    upper.get();
    lower.join();
    self->output = vips_image_new_from_memory(
        self->pixels.data(), size, width, height, bands, VIPS_FORMAT_UCHAR);
    if (!self->output)
        return fail(error, vips_error_buffer());
    self->recipe = described(self->input);
    ee_output output{};
    output.struct_size = sizeof output;
    output.adjustment = {
        "org.example.honestcpp", "1.0", self->recipe.data(), self->recipe.size()};
    output.image = self->output;
    completion->complete(completion, EE_OK, &output, nullptr);
    return EE_OK;
}

ee_status render_preview(
    ee_controller *, const ee_preview *preview, VipsImage **image, ee_error *error)
{
    return preview->image(preview, EE_ACCESS_SEQUENTIAL, image, error);
}

void cancel(ee_controller *) {}

bool should_show_cancel_confirmation(ee_controller *) { return false; }

const ee_photo_editing photo_editing = {
    sizeof(ee_photo_editing), create,         destroy,        can_handle, start,
    get_parameters,           set_parameters, render_preview, finish,     cancel,
    should_show_cancel_confirmation,
};

const void *get_capability(const char *id)
{
    return std::strcmp(id, EE_CAPABILITY_PHOTO_EDITING) == 0 ? &photo_editing : nullptr;
}

const ee_entry entry = {
    sizeof(ee_entry), EE_ABI_MAJOR, EE_ABI_MINOR, "org.example.honestcpp", "1.0", get_capability,
};

} // namespace

extern "C" EE_EXPORT const ee_entry *editing_extension_entry(const ee_host *) { return &entry; }
