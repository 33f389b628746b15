/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's capability ee_parameters.
 */
#define _GNU_SOURCE
#include "internal.h"
#include "json.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const type_names[] = {
    "another value", "a number", "true or false", "a string", "a point", "a rectangle",
    "a list of points"};

/* Returns the value of a name, which the caller must clear. Its type is TYPE_OTHER if there is none. */
static Value find(const char *json, size_t size, const char *name)
{
    Value found = {0};
    GTree *values = name ? ee_testing_read_object(json, size) : NULL;
    if (!values)
        return found;
    Value *value = g_tree_lookup(values, name);
    if (value) {
        found = *value;
        *value = (Value){0};
    }
    g_tree_unref(values);
    return found;
}

/* Copies the numbers of a value of a type. */
static bool read_numbers(
    const char *json, size_t size, const char *name, Type type, double *numbers, size_t count)
{
    Value value = find(json, size, name);
    bool is_found = value.type == type && numbers;
    if (is_found)
        memcpy(numbers, value.number, count * sizeof *numbers);
    ee_testing_clear(&value);
    return is_found;
}

static bool number(const char *json, size_t size, const char *name, double *value)
{
    return read_numbers(json, size, name, TYPE_NUMBER, value, 1);
}

static bool integer(const char *json, size_t size, const char *name, int64_t *value)
{
    Value found = find(json, size, name);
    bool is_found = found.type == TYPE_NUMBER && found.is_integer && value;
    if (is_found)
        *value = found.integer;
    ee_testing_clear(&found);
    return is_found;
}

static bool boolean(const char *json, size_t size, const char *name, bool *value)
{
    Value found = find(json, size, name);
    bool is_found = found.type == TYPE_BOOLEAN && value;
    if (is_found)
        *value = found.boolean;
    ee_testing_clear(&found);
    return is_found;
}

static bool text(const char *json, size_t size, const char *name, char *value, size_t capacity)
{
    Value found = find(json, size, name);
    bool fits = found.type == TYPE_TEXT && value && found.length < capacity &&
                strlen(found.text) == found.length;
    if (fits)
        strcpy(value, found.text);
    ee_testing_clear(&found);
    return fits;
}

static bool color(const char *json, size_t size, const char *name, double value[4])
{
    char digits[16];
    if (!value || !text(json, size, name, digits, sizeof digits) || digits[0] != '#')
        return false;
    size_t count = strlen(digits + 1);
    if ((count != 6 && count != 8) || strspn(digits + 1, "0123456789abcdefABCDEF") != count)
        return false;
    for (size_t index = 0; index < 4; index++) {
        const char *pair = digits + 1 + 2 * index;
        value[index] = 2 * index < count ? (g_ascii_xdigit_value(pair[0]) * 16 +
                                            g_ascii_xdigit_value(pair[1])) /
                                               255.0
                                         : 1;
    }
    return true;
}

static bool point(const char *json, size_t size, const char *name, double value[2])
{
    return read_numbers(json, size, name, TYPE_POINT, value, 2);
}

static bool rectangle(const char *json, size_t size, const char *name, double value[4])
{
    return read_numbers(json, size, name, TYPE_RECTANGLE, value, 4);
}

static bool points(
    const char *json, size_t size, const char *name, double (*value)[2], size_t capacity,
    size_t *count)
{
    Value found = find(json, size, name);
    bool fits = found.type == TYPE_POINTS && count;
    if (fits) {
        *count = found.points->len;
        fits = *count <= capacity && (value || !*count);
        if (fits && *count)
            memcpy(value, found.points->data, *count * sizeof *value);
    }
    ee_testing_clear(&found);
    return fits;
}

/* MARK: Curves: the monotone cubic of Fritsch and Carlson, as in EditingValues/Curve.swift. */

typedef struct {
    double x, y, slope;
} Knot;

static void find_slopes(Knot *knots, size_t count)
{
    double before = 0;
    for (size_t index = 0; index < count; index++) {
        double after = index + 1 < count ? (knots[index + 1].y - knots[index].y) /
                                               (knots[index + 1].x - knots[index].x)
                                         : before;
        if (index == 0)
            before = after;
        knots[index].slope =
            index == 0 || index + 1 == count ? after
            : before * after > 0             ? (before + after) / 2
                                             : 0;
        before = after;
    }
    for (size_t index = 0; index + 1 < count; index++) {
        Knot *start = &knots[index], *end = &knots[index + 1];
        double secant = (end->y - start->y) / (end->x - start->x);
        double a = start->slope / secant, b = end->slope / secant, square = a * a + b * b;
        if (secant == 0 || !isfinite(square))
            start->slope = end->slope = 0;
        else if (square > 9) {
            start->slope = 3 / sqrt(square) * a * secant;
            end->slope = 3 / sqrt(square) * b * secant;
        }
    }
}

static double curve_value(const Knot *knots, size_t count, double x)
{
    if (x <= knots[0].x)
        return knots[0].y;
    if (x >= knots[count - 1].x)
        return knots[count - 1].y;
    size_t low = 0;
    while (knots[low + 1].x <= x)
        low++;
    Knot start = knots[low], end = knots[low + 1];
    double width = end.x - start.x, t = (x - start.x) / width, u = 1 - t;
    double value = start.y * (1 + 2 * t) * u * u + start.slope * width * t * u * u +
                   end.y * t * t * (3 - 2 * t) - end.slope * width * t * t * u;
    return fmin(fmax(value, fmin(start.y, end.y)), fmax(start.y, end.y));
}

static bool curve(const char *json, size_t size, const char *name, double *value, size_t count)
{
    static const double ends[] = {0, 1};
    double (*given)[2] = g_malloc(maximum_points * sizeof *given);
    size_t found = 0;
    bool is_curve = points(json, size, name, given, maximum_points, &found) && found >= 2 &&
                    count >= 2 && count <= PTRDIFF_MAX && value;
    Knot *knots = g_new0(Knot, found + 1);
    for (size_t index = 0; is_curve && index < found; index++) {
        double x = given[index][0], y = given[index][1];
        is_curve = x >= ends[0] && x <= ends[1] && y >= ends[0] && y <= ends[1] &&
                   (index == 0 || x > given[index - 1][0]);
        knots[index] = (Knot){x, y, 0};
    }
    if (is_curve) {
        find_slopes(knots, found);
        for (size_t index = 0; index < count; index++)
            value[index] = curve_value(knots, found, (double)index / (double)(count - 1));
    }
    g_free(knots);
    g_free(given);
    return is_curve;
}

/* MARK: Merging */

static void append_number(GString *json, double number)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    for (int precision = 15; precision <= 17; precision++) {
        char format[24];
        snprintf(format, sizeof format, "%%.%dg", precision);
        g_ascii_formatd(digits, sizeof digits, format, number);
        if (g_ascii_strtod(digits, NULL) == number)
            break;
    }
    g_string_append(json, digits);
}

static void append_text(GString *json, const char *text, size_t length)
{
    g_string_append_c(json, '"');
    for (const char *end = text + length; text < end; text++) {
        if (*text == '"' || *text == '\\')
            g_string_append_printf(json, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            g_string_append_printf(json, "\\u%04x", (unsigned)*text);
        else
            g_string_append_c(json, *text);
    }
    g_string_append_c(json, '"');
}

static void append_value(GString *json, const Value *value)
{
    static const char *const names[] = {"\"height\":", ",\"width\":", ",\"x\":", ",\"y\":"};
    switch (value->type) {
    case TYPE_BOOLEAN: g_string_append(json, value->boolean ? "true" : "false"); break;
    case TYPE_TEXT: append_text(json, value->text, value->length); break;
    case TYPE_POINT:
    case TYPE_RECTANGLE:
        g_string_append_c(json, '{');
        for (int index = value->type == TYPE_POINT ? 2 : 0; index < 4; index++) {
            bool is_first = json->str[json->len - 1] == '{';
            g_string_append(json, names[index] + (is_first && index == 2));
            append_number(json, value->number[index < 2 ? 3 - index : index - 2]);
        }
        g_string_append_c(json, '}');
        break;
    case TYPE_POINTS:
        g_string_append_c(json, '[');
        for (guint index = 0; index < value->points->len; index++) {
            const double *pair = (const double *)(value->points->data) + 2 * index;
            g_string_append(json, index ? ",[" : "[");
            append_number(json, pair[0]);
            g_string_append_c(json, ',');
            append_number(json, pair[1]);
            g_string_append_c(json, ']');
        }
        g_string_append_c(json, ']');
        break;
    default:
        if (value->is_integer)
            g_string_append_printf(json, "%" PRId64, value->integer);
        else
            append_number(json, value->number[0]);
    }
}

typedef struct {
    GTree *changes;
    GString *json;
    ee_error *error;
    ee_status status;
} Merge;

static gboolean merge_value(void *name, void *old, void *data)
{
    Merge *merge = data;
    const Value *value = old, *new = g_tree_lookup(merge->changes, name);
    if (value->type == TYPE_OTHER)
        return FALSE;
    if (new && new->type != value->type) {
        merge->status = EE_BAD_PARAMETER;
        g_snprintf(
            merge->error->message, sizeof merge->error->message, "\"%s\" must be %s",
            (const char *)name, type_names[value->type]);
        return TRUE;
    }
    if (merge->json->len > 1)
        g_string_append_c(merge->json, ',');
    append_text(merge->json, name, strlen(name));
    g_string_append_c(merge->json, ':');
    append_value(merge->json, new ? new : value);
    return FALSE;
}

static ee_status merge(
    char *values, size_t capacity, const char *json, size_t size, ee_error *error)
{
    ee_error ignored;
    Merge merge = {.error = error ? error : &ignored, .status = EE_OK};
    GTree *old = values ? ee_testing_read_object(values, strnlen(values, capacity)) : NULL;
    merge.changes = ee_testing_read_object(json, size);
    merge.json = g_string_new("{");
    if (!old || !merge.changes) {
        merge.status = EE_BAD_PARAMETER;
        g_strlcpy(
            merge.error->message,
            old ? "the new values are not a JSON object of at most 1 MiB"
                : "the values to be changed are not a JSON object",
            sizeof merge.error->message);
    } else
        g_tree_foreach(old, merge_value, &merge);
    g_string_append_c(merge.json, '}');
    if (merge.status == EE_OK && merge.json->len >= capacity) {
        merge.status = EE_BAD_PARAMETER;
        g_snprintf(
            merge.error->message, sizeof merge.error->message,
            "the values take %zu bytes, but there is room for only %zu", (size_t)merge.json->len,
            capacity - 1);
    }
    if (merge.status == EE_OK)
        strcpy(values, merge.json->str);
    g_string_free(merge.json, TRUE);
    g_clear_pointer(&old, g_tree_unref);
    g_clear_pointer(&merge.changes, g_tree_unref);
    return merge.status;
}

const ee_parameters ee_testing_parameters = {
    sizeof ee_testing_parameters, number, integer, boolean, text, color, point, rectangle, points,
    curve, merge};

char *ee_testing_json_string(const char *json, size_t size, const char *name)
{
    Value value = find(json, size, name);
    char *found = value.type == TYPE_TEXT ? g_steal_pointer(&value.text) : NULL;
    ee_testing_clear(&value);
    return found;
}
