/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches the open files of the process, for adder.c.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef ASK
/* Returns the number of open regular files. */
static int open_files(void)
{
    int count = 0;
    for (int number = 3; number < 64; number++) {
        struct stat status;
        count += fstat(number, &status) == 0 && S_ISREG(status.st_mode);
    }
    return count;
}
#endif

#ifdef PEEK
/* Returns whether an open file starts like JPEG, PNG or TIFF. */
static bool sees_picture(void)
{
    static const char *const beginnings[] = {"\xff\xd8\xff", "\x89PNG", "II*", "MM"};
    char bytes[4];
    for (int file = 0; file < 64; file++) {
        if (pread(file, bytes, sizeof bytes, 0) != sizeof bytes)
            continue;
        for (size_t index = 0; index < sizeof beginnings / sizeof beginnings[0]; index++)
            if (memcmp(bytes, beginnings[index], strlen(beginnings[index])) == 0)
                return true;
    }
    return false;
}
#endif
