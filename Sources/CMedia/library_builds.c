// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "cmedia.h"

/* Neither library has a version function. The GNU build ID is a hash of the linked file:
 * https://sourceware.org/binutils/docs/ld/Options.html, --build-id. */
struct search {
    const char *library;
    char *text;
};

enum { OWNER_SIZE = 4, SHOWN_BYTES = 8 };

static size_t aligned(size_t size) { return (size + 3) & ~(size_t)3; }

static bool read_notes(const unsigned char *notes, size_t size, char *text)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) header;
        memcpy(&header, notes, sizeof header);
        size_t name = aligned(header.n_namesz);
        size_t whole = sizeof header + name + aligned(header.n_descsz);
        if (whole > size) return false;
        const unsigned char *owner = notes + sizeof header;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == OWNER_SIZE &&
            memcmp(owner, ELF_NOTE_GNU, OWNER_SIZE) == 0 && header.n_descsz >= SHOWN_BYTES) {
            for (int place = 0; place < SHOWN_BYTES; place++)
                snprintf(text + 2 * place, 3, "%02x", owner[name + place]);
            return true;
        }
        notes += whole;
        size -= whole;
    }
    return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct search *search = context;
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *name = slash ? slash + 1 : info->dlpi_name;
    if (strncmp(name, search->library, strlen(search->library)) != 0) return 0;
    for (int place = 0; place < info->dlpi_phnum; place++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[place];
        if (segment->p_type != PT_NOTE) continue;
        const unsigned char *notes = (const unsigned char *)(info->dlpi_addr + segment->p_vaddr);
        if (read_notes(notes, segment->p_memsz, search->text)) return 1;
    }
    return 0;
}

bool cmedia_build(const char *library, char text[17])
{
    struct search search = {library, text};
    text[0] = 0;
    return dl_iterate_phdr(look_at, &search) == 1;
}
