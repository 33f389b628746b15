/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks the results of the host's ee_parameters for malformed JSON.
 */
#include <editing_extension.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return #condition;                                                                     \
    } while (0)

/* Copies a text to the end of a page that is followed by an unreadable one. */
static const char *at_the_edge(const char *text, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size / page + 1) * page;
    char *memory = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + room, page, PROT_NONE))
        abort();
    return memcpy(memory + room - size, text, size);
}

#define JSON(text) at_the_edge(text, sizeof text - 1), sizeof text - 1

static const char *check_reading(const ee_parameters *p)
{
    double number = -7, four[4] = {-7, -7, -7, -7};
    int64_t integer = -7;
    bool boolean = true;
    char text[8] = "before";

    EXPECT(p->number(JSON("{\"a\":0.5}"), "a", &number) && number == 0.5);
    EXPECT(p->number(JSON("{\"a\":3}"), "a", &number) && number == 3);
    EXPECT(p->number(JSON("{\"a\":-0.0}"), "a", &number) && number == 0);
    EXPECT(p->number(JSON("{\"a\":1,\"a\":2}"), "a", &number) && number == 1);
    number = -7;
    EXPECT(!p->number(JSON("{\"a\":1e400}"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":-1e400}"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":NaN}"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":0x10}"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":\"1\"}"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":true}"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":null}"), "a", &number));
    EXPECT(!p->number(JSON("{\"b\":{\"a\":1}}"), "a", &number));
    EXPECT(!p->number(JSON("{\"b\":\"\\\"a\\\":1\"}"), "a", &number));
    EXPECT(!p->number(JSON("[{\"a\":1}]"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":1"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":1}}"), "a", &number));
    EXPECT(!p->number(JSON("{\"a\":1}\0{\"a\":1}"), "a", &number));
    EXPECT(!p->number(JSON(""), "a", &number));
    EXPECT(!p->number(NULL, 0, "a", &number) && !p->number(NULL, 9, "a", &number));
    EXPECT(!p->number(JSON("{\"a\":1}"), "", &number) && !p->number(JSON("{\"a\":1}"), NULL, &number));
    EXPECT(number == -7);
    EXPECT(!p->number(JSON("{\"a\":1}"), "a", NULL));
    EXPECT(p->number(JSON("{\"\\u0061\":4}"), "a", &number) && number == 4);
    EXPECT(p->number(JSON("{\"x\":1e400,\"a\":5}"), "a", &number) && number == 5);

    EXPECT(p->integer(JSON("{\"a\":-3}"), "a", &integer) && integer == -3);
    EXPECT(p->integer(JSON("{\"a\":9223372036854775807}"), "a", &integer) && integer == INT64_MAX);
    EXPECT(p->integer(JSON("{\"a\":2.0}"), "a", &integer) && integer == 2);
    EXPECT(!p->integer(JSON("{\"a\":9223372036854775808}"), "a", &integer));
    EXPECT(!p->integer(JSON("{\"a\":0.5}"), "a", &integer) && integer == 2);

    EXPECT(p->boolean(JSON("{\"a\":false}"), "a", &boolean) && !boolean);
    EXPECT(!p->boolean(JSON("{\"a\":1}"), "a", &boolean) && !boolean);

    EXPECT(!p->text(JSON("{\"a\":\"12345678\"}"), "a", text, sizeof text));
    EXPECT(!p->text(JSON("{\"a\":\"a\\u0000b\"}"), "a", text, sizeof text));
    EXPECT(!p->text(JSON("{\"a\":\"\\ud83d\"}"), "a", text, sizeof text));
    EXPECT(!p->text(JSON("{\"a\":\"\\udc00\\ud800\"}"), "a", text, sizeof text));
    EXPECT(!p->text(JSON("{\"a\":\"\"}"), "a", text, 0));
    EXPECT(!p->text(JSON("{\"a\":1}"), "a", text, sizeof text));
    EXPECT(strcmp(text, "before") == 0);
    EXPECT(p->text(JSON("{\"a\":\"1234567\"}"), "a", text, sizeof text) && !strcmp(text, "1234567"));
    EXPECT(p->text(JSON("{\"a\":\"\\ud83d\\ude00\\n\"}"), "a", text, sizeof text));
    EXPECT(strcmp(text, "\xf0\x9f\x98\x80\n") == 0);
    EXPECT(p->text(JSON("{\"a\":\"\"}"), "a", text, 1) && text[0] == 0);

    EXPECT(!p->color(JSON("{\"a\":\"#12345\"}"), "a", four));
    EXPECT(!p->color(JSON("{\"a\":\"#12345g\"}"), "a", four));
    EXPECT(!p->color(JSON("{\"a\":\"red\"}"), "a", four));
    EXPECT(!p->color(JSON("{\"a\":\"#\xef\xbc\x91\xef\xbc\x91\"}"), "a", four));
    EXPECT(!p->point(JSON("{\"a\":{\"x\":1}}"), "a", four));
    EXPECT(!p->point(JSON("{\"a\":{\"x\":1,\"y\":1e400}}"), "a", four));
    EXPECT(!p->rectangle(JSON("{\"a\":{\"x\":1,\"y\":2}}"), "a", four));
    EXPECT(!p->rectangle(JSON("{\"a\":{\"x\":1,\"y\":2,\"width\":3}}"), "a", four));
    EXPECT(four[0] == -7 && four[1] == -7 && four[2] == -7 && four[3] == -7);
    EXPECT(p->color(JSON("{\"a\":\"#ff0033\"}"), "a", four));
    EXPECT(four[0] == 1 && four[1] == 0 && fabs(four[2] - 0.2) < 1e-9 && four[3] == 1);
    EXPECT(p->color(JSON("{\"a\":\"#FF003300\"}"), "a", four) && four[3] == 0);
    EXPECT(p->rectangle(JSON("{\"a\":{\"x\":1,\"y\":2,\"width\":3,\"height\":4}}"), "a", four));
    EXPECT(four[0] == 1 && four[1] == 2 && four[2] == 3 && four[3] == 4);
    EXPECT(p->point(JSON("{\"a\":{\"x\":0.5,\"y\":0.25}}"), "a", four));
    EXPECT(four[0] == 0.5 && four[1] == 0.25 && four[2] == 3);
    return NULL;
}

/* Lists of points. The array ends at an unreadable page. */
static const char *check_points(const ee_parameters *p)
{
    static const double before[3][2] = {{-7, -7}, {-7, -7}, {-7, -7}};
    double(*value)[2] = (double(*)[2])at_the_edge((const char *)before, sizeof before);
    size_t count = 99;

    EXPECT(!p->points(JSON("{\"a\":[[0]]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":[[0,1,2]]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":[[0,1],3]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":[0,1]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":[[0,\"1\"]]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":[[0,null]]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":[[0,1e400]]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":[[[0,1]]]}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":{\"x\":0,\"y\":1}}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("{\"a\":\"[[0,1]]\"}"), "a", value, 3, &count));
    EXPECT(!p->points(JSON("[[0,1]]"), "a", value, 3, &count) && count == 99);
    EXPECT(!p->points(JSON("{\"a\":[[0,1]]}"), "a", value, 3, NULL));
    EXPECT(!p->points(JSON("{\"a\":[[0,1]]}"), "a", NULL, 3, &count) && count == 1);
    EXPECT(!p->points(JSON("{\"a\":[[0,1],[2,3],[4,5],[6,7]]}"), "a", value, 3, &count) && count == 4);
    EXPECT(!p->points(JSON("{\"a\":[[0,1]]}"), "a", NULL, 0, &count) && count == 1);
    EXPECT(!memcmp(value, before, sizeof before));
    EXPECT(p->points(JSON("{\"a\":[]}"), "a", NULL, 0, &count) && count == 0);
    EXPECT(p->points(JSON("{\"a\":[[5,-1]]}"), "a", value, 3, &count) && count == 1);
    EXPECT(value[0][0] == 5 && value[0][1] == -1 && value[1][0] == -7);
    EXPECT(p->points(JSON("{\"a\":[[0,0.5],[1,2],[3,4]]}"), "a", value, 3, &count) && count == 3);
    EXPECT(value[0][1] == 0.5 && value[2][0] == 3 && value[2][1] == 4);
    EXPECT(!p->number(JSON("{\"a\":[[0,1]]}"), "a", value[0]) && value[0][0] == 0);
    return NULL;
}

static const char *check_curves(const ee_parameters *p)
{
    static const double before[3] = {-7, -7, -7};
    double *value = (double *)at_the_edge((const char *)before, sizeof before);

    EXPECT(!p->curve(JSON("{\"a\":[]}"), "a", value, 3));
    EXPECT(!p->curve(JSON("{\"a\":[[0,0]]}"), "a", value, 3));
    EXPECT(!p->curve(JSON("{\"a\":[[0,0],[0,1]]}"), "a", value, 3));
    EXPECT(!p->curve(JSON("{\"a\":[[1,0],[0,1]]}"), "a", value, 3));
    EXPECT(!p->curve(JSON("{\"a\":[[0,0],[1,1.5]]}"), "a", value, 3));
    EXPECT(!p->curve(JSON("{\"a\":[[-0.5,0],[1,1]]}"), "a", value, 3));
    EXPECT(!p->curve(JSON("{\"a\":[[0,0],[1,1]]}"), "a", value, 1));
    EXPECT(!p->curve(JSON("{\"a\":[[0,0],[1,1]]}"), "a", value, 0));
    EXPECT(!p->curve(JSON("{\"a\":[[0,0],[1,1]]}"), "a", value, SIZE_MAX));
    EXPECT(!p->curve(JSON("{\"a\":[[0,0],[1,1]]}"), "a", NULL, 3));
    EXPECT(!memcmp(value, before, sizeof before));
    EXPECT(p->curve(JSON("{\"a\":[[0,0.25],[1,0.75]]}"), "a", value, 3));
    EXPECT(value[0] == 0.25 && fabs(value[1] - 0.5) < 1e-12 && value[2] == 0.75);
    EXPECT(p->curve(JSON("{\"a\":[[0.5,0],[1e-300,1]]}"), "a", value, 3) == false);
    EXPECT(p->curve(JSON("{\"a\":[[0,0],[1e-300,1],[2e-300,0]]}"), "a", value, 3));
    EXPECT(value[0] == 0 && value[1] == 0 && value[2] == 0);
    EXPECT(p->curve(JSON("{\"a\":[[0,0],[5e-324,0.5],[1,0.5]]}"), "a", value, 3));
    EXPECT(value[0] == 0 && value[1] == 0.5 && value[2] == 0.5);
    EXPECT(p->curve(JSON("{\"a\":[[0,0],[5e-324,0.5],[1,1]]}"), "a", value, 3));
    EXPECT(value[0] == 0 && value[1] > 0.5 && value[1] < 1 && value[2] == 1);
    return NULL;
}

/* Texts that are too large or too deep. */
static const char *check_sizes(const ee_parameters *p)
{
    double number = -7;
    size_t size = 2 << 20;
    char *large = malloc(size);
    memset(large, ' ', size);
    memcpy(large, "{\"a\":1}", 7);
    EXPECT(p->number(large, 1 << 20, "a", &number) && number == 1);
    EXPECT(!p->number(large, (1 << 20) + 1, "a", &number));
    EXPECT(!p->number(large, SIZE_MAX, "a", &number));
    memcpy(large, "{\"a\":2,\"b\":", 11);
    memset(large + 11, '[', 500000);
    memset(large + 500011, ']', 500000);
    large[1000011] = '}';
    EXPECT(!p->number(large, 1000012, "a", &number) && number == 1);
    /* The maximum number of points, then one more. */
    size_t count = 99, at = 6;
    double(*points)[2] = malloc(4097 * sizeof *points);
    memcpy(large, "{\"a\":[", 6);
    for (int index = 0; index < 4096; index++, at += 6)
        memcpy(large + at, "[0,1],", 6);
    memcpy(large + at - 1, "]}", 2);
    EXPECT(p->points(large, at + 1, "a", points, 4097, &count) && count == 4096);
    memcpy(large + at - 1, ",[0,1]]}", 8);
    count = 99;
    EXPECT(!p->points(large, at + 7, "a", points, 4097, &count) && count == 99);
    free(points);
    free(large);
    return NULL;
}

static const char *check_merging(const ee_parameters *p)
{
    char values[40] = "{\"a\":1,\"c\":\"x\",\"b\":true}";
    ee_error error = {{0}};
    EXPECT(p->merge(values, sizeof values, JSON("{\"z\":1,\"b\":false}"), &error) == EE_OK);
    EXPECT(strcmp(values, "{\"a\":1,\"b\":false,\"c\":\"x\"}") == 0);
    EXPECT(p->merge(values, sizeof values, JSON("{\"a\":\"1\"}"), &error) == EE_BAD_PARAMETER);
    EXPECT(strstr(error.message, "\"a\"") && strstr(error.message, "a number"));
    EXPECT(p->merge(values, sizeof values, JSON("{\"a\":1e400}"), &error) == EE_BAD_PARAMETER);
    EXPECT(p->merge(values, sizeof values, JSON("{\"a\":{\"a\":1}}"), &error) == EE_BAD_PARAMETER);
    EXPECT(p->merge(values, sizeof values, JSON("[]"), &error) == EE_BAD_PARAMETER);
    EXPECT(p->merge(values, sizeof values, NULL, 0, NULL) == EE_BAD_PARAMETER);
    EXPECT(p->merge(NULL, 9, JSON("{}"), &error) == EE_BAD_PARAMETER);
    EXPECT(
        p->merge(values, sizeof values, JSON("{\"c\":\"0123456789abcdef\"}"), &error) ==
        EE_BAD_PARAMETER);
    EXPECT(strstr(error.message, "room for only 39"));
    EXPECT(strcmp(values, "{\"a\":1,\"b\":false,\"c\":\"x\"}") == 0);
    EXPECT(p->merge(values, sizeof values, JSON("{\"c\":\"0123456789abcde\"}"), &error) == EE_OK);
    EXPECT(strlen(values) == 39);
    EXPECT(p->merge(values, sizeof values, JSON("{\"c\":\"\\u0000\\\"\\/\"}"), &error) == EE_OK);
    EXPECT(strcmp(values, "{\"a\":1,\"b\":false,\"c\":\"\\u0000\\\"/\"}") == 0);
    EXPECT(p->merge(values, 4, JSON("{}"), &error) == EE_BAD_PARAMETER);
    char curve[64] = "{\"a\":[[0,0],[1,1]]}";
    EXPECT(p->merge(curve, sizeof curve, JSON("{\"a\":[0]}"), &error) == EE_BAD_PARAMETER);
    EXPECT(strstr(error.message, "a list of points"));
    EXPECT(p->merge(curve, sizeof curve, JSON("{\"a\":{\"x\":0,\"y\":0}}"), &error) == EE_BAD_PARAMETER);
    EXPECT(p->merge(curve, sizeof curve, JSON("{\"a\":[[0,0.5],[1.0,1]]}"), &error) == EE_OK);
    EXPECT(strcmp(curve, "{\"a\":[[0,0.5],[1,1]]}") == 0);
    return NULL;
}

/* Returns the first violation of the contract, or NULL. */
static const char *check_parameters(const ee_host *host)
{
    const ee_parameters *p = host->get_capability(host, EE_CAPABILITY_PARAMETERS);
    EXPECT(p && p->struct_size == sizeof *p);
    const char *wrong = check_reading(p);
    if (!wrong)
        wrong = check_points(p);
    if (!wrong)
        wrong = check_curves(p);
    if (!wrong)
        wrong = check_sizes(p);
    return wrong ? wrong : check_merging(p);
}
