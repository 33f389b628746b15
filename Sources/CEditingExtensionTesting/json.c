/* SPDX-License-Identifier: Apache-2.0
 *
 * A parser for JSON objects of parameters. edithost itself parses them in Swift.
 */
#include "json.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum { maximum_size = 1 << 20, maximum_depth = 64 };

/* MARK: Scanning. Each function returns the end of what it has read, or NULL if that is not JSON. */

static const char *skip_space(const char *text, const char *end)
{
    while (text < end && strchr(" \t\r\n", *text) && *text)
        text++;
    return text;
}

static const char *skip_digits(const char *text, const char *end)
{
    const char *start = text;
    while (text < end && g_ascii_isdigit(*text))
        text++;
    return text > start ? text : NULL;
}

static const char *skip_number(const char *text, const char *end)
{
    if (text < end && *text == '-')
        text++;
    bool is_zero = text < end && *text == '0';
    const char *whole = skip_digits(text, end);
    if (!whole || (is_zero && whole > text + 1))
        return NULL;
    text = whole;
    if (text < end && *text == '.' && !(text = skip_digits(text + 1, end)))
        return NULL;
    if (text == end || (*text != 'e' && *text != 'E'))
        return text;
    text++;
    if (text < end && (*text == '+' || *text == '-'))
        text++;
    return skip_digits(text, end);
}

static const char *skip_string(const char *text, const char *end)
{
    if (text == end || *text != '"')
        return NULL;
    for (text++; text < end && *text != '"'; text++) {
        if ((unsigned char)*text < ' ')
            return NULL;
        if (*text == '\\' && ++text == end)
            return NULL;
    }
    return text < end ? text + 1 : NULL;
}

static const char *skip_value(const char *text, const char *end, int depth);

/* Skips the members of an object or the elements of an array, after the bracket. */
static const char *skip_list(const char *text, const char *end, int depth)
{
    char close = text[-1] == '{' ? '}' : ']';
    text = skip_space(text, end);
    if (text < end && *text == close)
        return text + 1;
    while (text < end) {
        if (close == '}') {
            text = skip_string(text, end);
            text = text ? skip_space(text, end) : end;
            if (text == end || *text != ':')
                return NULL;
            text = skip_space(text + 1, end);
        }
        text = skip_value(text, end, depth);
        text = text ? skip_space(text, end) : end;
        if (text < end && *text == close)
            return text + 1;
        if (text == end || *text != ',')
            return NULL;
        text = skip_space(text + 1, end);
    }
    return NULL;
}

static const char *skip_value(const char *text, const char *end, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (text == end || depth > maximum_depth)
        return NULL;
    if (*text == '"')
        return skip_string(text, end);
    if (*text == '{' || *text == '[')
        return skip_list(text + 1, end, depth + 1);
    for (size_t word = 0; word < G_N_ELEMENTS(words); word++) {
        size_t size = strlen(words[word]);
        if ((size_t)(end - text) >= size && strncmp(text, words[word], size) == 0)
            return text + size;
    }
    return skip_number(text, end);
}

/* MARK: Values */

void ee_testing_clear(Value *value)
{
    g_free(value->text);
    if (value->points)
        g_array_unref(value->points);
    *value = (Value){0};
}

static bool read_number(const char *text, const char *end, double *number)
{
    if (skip_number(text, end) != end)
        return false;
    char *copy = g_strndup(text, (size_t)(end - text));
    *number = g_ascii_strtod(copy, NULL);
    g_free(copy);
    return isfinite(*number);
}

/* Reads a number without a fraction, which is the given one as far as that is exact. */
static bool read_integer(const char *text, const char *end, double number, int64_t *integer)
{
    char *copy = g_strndup(text, (size_t)(end - text)), *after;
    errno = 0;
    *integer = g_ascii_strtoll(copy, &after, 10);
    bool is_exact = !*after && errno == 0;
    g_free(copy);
    if (is_exact)
        return true;
    *integer = number == floor(number) && fabs(number) < 0x1p63 ? (int64_t)number : 0;
    return number == (double)*integer;
}

/* Reads four hexadecimal digits. */
static bool read_unit(const char *text, const char *end, gunichar *unit)
{
    *unit = 0;
    for (int index = 0; index < 4; index++) {
        if (text + index >= end || !g_ascii_isxdigit(text[index]))
            return false;
        *unit = *unit * 16 + (gunichar)g_ascii_xdigit_value(text[index]);
    }
    return true;
}

/* Appends the character of an escape and returns its end; NULL if it is invalid. */
static const char *read_escape(const char *text, const char *end, GString *result)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *name = strchr(names, *text);
    gunichar unit, low;
    if (name && *text) {
        g_string_append_c(result, values[name - names]);
        return text + 1;
    }
    if (*text != 'u' || !read_unit(text + 1, end, &unit))
        return NULL;
    text += 5;
    if (unit >= 0xD800 && unit < 0xDC00) {
        if (end - text < 6 || text[0] != '\\' || text[1] != 'u' || !read_unit(text + 2, end, &low) ||
            low < 0xDC00 || low > 0xDFFF)
            return NULL;
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        text += 6;
    }
    if (unit >= 0xDC00 && unit <= 0xDFFF)
        return NULL;
    if (unit == 0)
        g_string_append_c(result, '\0');
    else
        g_string_append_unichar(result, unit);
    return text;
}

/* Returns whether a text is valid UTF-8. Unlike in g_utf8_validate, NULs are allowed. */
static bool is_utf8(const char *text, size_t length)
{
    const char *end = text + length;
    while (!g_utf8_validate_len(text, (gsize)(end - text), &text))
        if (*text++)
            return false;
    return true;
}

/* Returns the characters of a JSON string, which is given with its quotes; NULL if it is invalid. */
static char *read_text(const char *text, const char *end, size_t *length)
{
    GString *result = g_string_new(NULL);
    const char *last = end - 1;
    for (text++; text && text < last;) {
        if (*text != '\\')
            g_string_append_c(result, *text++);
        else
            text = read_escape(text + 1, last, result);
    }
    *length = result->len;
    bool is_usable = text && is_utf8(result->str, result->len);
    return g_string_free(result, !is_usable);
}

/* Calls a function for each member of an object or element of an array, whose JSON must be valid. Elements have
 * the name "". */
static void each(
    const char *text, const char *end,
    void (*call)(const char *name, const char *text, const char *end, void *data), void *data)
{
    bool has_names = *text == '{';
    text = skip_space(text + 1, end);
    while (text < end && *text != '}' && *text != ']') {
        char *name = NULL;
        if (has_names) {
            const char *after = skip_string(text, end);
            size_t length;
            name = read_text(text, after, &length);
            text = skip_space(skip_space(after, end) + 1, end);
        }
        const char *after = skip_value(text, end, 0);
        if (!has_names || name)
            call(name ? name : "", text, after, data);
        g_free(name);
        text = skip_space(after, end);
        if (*text == ',')
            text = skip_space(text + 1, end);
    }
}

typedef struct {
    double numbers[4];
    unsigned found; /* the number of coordinates, or a bit for each member */
    bool is_wrong;
} Members;

static void add_member(const char *name, const char *text, const char *end, void *data)
{
    static const char *const names[] = {"x", "y", "width", "height"};
    Members *members = data;
    for (size_t index = 0; index < G_N_ELEMENTS(names); index++)
        if (strcmp(name, names[index]) == 0) {
            if (read_number(text, end, &members->numbers[index]))
                members->found |= 1u << index;
            else
                members->is_wrong = true;
        }
}

static void add_coordinate(const char *name, const char *text, const char *end, void *data)
{
    Members *members = data;
    (void)name;
    if (members->found >= 2 || !read_number(text, end, &members->numbers[members->found]))
        members->is_wrong = true;
    members->found++;
}

/* Appends a point. Frees the points if the element is not a point. */
static void add_point(const char *name, const char *text, const char *end, void *data)
{
    GArray **points = data;
    Members point = {0};
    (void)name;
    if (*text == '[')
        each(text, end, add_coordinate, &point);
    if (point.is_wrong || point.found != 2 || (*points && (*points)->len == maximum_points))
        g_clear_pointer(points, g_array_unref);
    if (*points)
        g_array_append_vals(*points, point.numbers, 1);
}

static GArray *read_points(const char *text, const char *end)
{
    GArray *points = g_array_new(FALSE, FALSE, 2 * sizeof(double));
    each(text, end, add_point, &points);
    return points;
}

/* Reads a valid JSON value. */
static Value read_value(const char *text, const char *end)
{
    Value value = {0};
    if (*text == '"') {
        value.text = read_text(text, end, &value.length);
        value.type = value.text ? TYPE_TEXT : TYPE_OTHER;
    } else if (*text == '{') {
        Members members = {0};
        each(text, end, add_member, &members);
        memcpy(value.number, members.numbers, sizeof value.number);
        if (!members.is_wrong)
            value.type = members.found == 15  ? TYPE_RECTANGLE
                         : members.found == 3 ? TYPE_POINT
                                              : TYPE_OTHER;
    } else if (*text == '[') {
        value.points = read_points(text, end);
        value.type = value.points ? TYPE_POINTS : TYPE_OTHER;
    } else if (*text == 't' || *text == 'f') {
        value.boolean = *text == 't';
        value.type = TYPE_BOOLEAN;
    } else if (read_number(text, end, &value.number[0])) {
        value.type = TYPE_NUMBER;
        value.is_integer = read_integer(text, end, value.number[0], &value.integer);
    }
    return value;
}

static void free_value(void *value)
{
    ee_testing_clear(value);
    g_free(value);
}

static void add_value(const char *name, const char *text, const char *end, void *data)
{
    Value *value = g_new(Value, 1);
    if (g_tree_lookup(data, name)) {
        g_free(value);
        return;
    }
    *value = read_value(text, end);
    g_tree_insert(data, g_strdup(name), value);
}

static int compare(const void *one, const void *other, void *data)
{
    (void)data;
    return strcmp(one, other);
}

/* Returns the values of a JSON object, sorted by name; NULL if the text is not a JSON object. */
GTree *ee_testing_read_object(const char *json, size_t size)
{
    if (!json || !size || size > maximum_size)
        return NULL;
    const char *end = json + size, *start = skip_space(json, end);
    const char *after = start < end && *start == '{' ? skip_value(start, end, 0) : NULL;
    if (!after || skip_space(after, end) != end)
        return NULL;
    GTree *values = g_tree_new_full(compare, NULL, g_free, free_value);
    each(start, after, add_value, values);
    return values;
}
