/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EE_TESTING_JSON_H
#define EE_TESTING_JSON_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { maximum_points = 4096 };

typedef enum {
    TYPE_OTHER,
    TYPE_NUMBER,
    TYPE_BOOLEAN,
    TYPE_TEXT,
    TYPE_POINT,
    TYPE_RECTANGLE,
    TYPE_POINTS
} Type;

/* The value of a parameter, or any other JSON value. */
typedef struct {
    Type type;
    double number[4]; /* a number; x, y, width and height */
    bool is_integer;
    int64_t integer;
    bool boolean;
    char *text;
    size_t length; /* of the text, which may contain NULs */
    GArray *points; /* pairs of numbers */
} Value;

/* Returns the values of a JSON object, sorted by name; NULL if the text is not a JSON object. */
GTree *ee_testing_read_object(const char *json, size_t size);

/* Frees the contents of a value. */
void ee_testing_clear(Value *value);

#endif
