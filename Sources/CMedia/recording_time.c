/* SPDX-License-Identifier: Apache-2.0 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

enum {
    /* The tags whose four bytes each contain the date and the time in binary-coded decimal. */
    TIME_ZONE_TO_MONTH = 0x18,
    DAY_TO_SECOND = 0x19,
    ENTRY = 5,
};

/* The identifier of user data by AVCHD cameras, followed by the format MDPM. */
static const uint8_t identifier[20] = {
    0x17, 0xee, 0x8c, 0x60, 0xf8, 0x4d, 0x11, 0xd9, 0x8c, 0xd6, 0x08, 0x00, 0x20, 0x0c, 0x9a, 0x66,
    'M',  'D',  'P',  'M',
};

/* Returns the four bytes of a tag, or NULL. A count precedes the tags. */
static const uint8_t *value(const AVFrameSideData *data, uint8_t tag)
{
    size_t start = sizeof identifier + 1;
    if (data->size < start || memcmp(data->data, identifier, sizeof identifier) != 0)
        return NULL;
    for (int left = data->data[start - 1]; left > 0 && start + ENTRY <= data->size; left--, start += ENTRY)
        if (data->data[start] == tag)
            return data->data + start + 1;
    return NULL;
}

static bool are_digits(const uint8_t *bytes, int count)
{
    for (int index = 0; index < count; index++)
        if (bytes[index] >> 4 > 9 || (bytes[index] & 15) > 9)
            return false;
    return true;
}

bool cmedia_recording_time(const cmedia_reader *reader, char text[20])
{
    const AVFrame *frame = reader->frame;
    for (int index = 0; frame && index < frame->nb_side_data; index++) {
        const AVFrameSideData *data = frame->side_data[index];
        if (data->type != AV_FRAME_DATA_SEI_UNREGISTERED)
            continue;
        const uint8_t *date = value(data, TIME_ZONE_TO_MONTH);
        const uint8_t *time = value(data, DAY_TO_SECOND);
        if (!date || !time || !are_digits(date + 1, 3) || !are_digits(time, 4))
            continue;
        snprintf(
            text, 20, "%02x%02x:%02x:%02x %02x:%02x:%02x", date[1], date[2], date[3], time[0],
            time[1], time[2], time[3]);
        return true;
    }
    return false;
}
