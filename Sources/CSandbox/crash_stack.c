/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "csandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The tables of a library's exported symbols. */
struct symbols {
    const ElfW(Sym) *list;
    const char *names;
    const uint32_t *hashes; /* the GNU hash table, which contains the number of symbols */
};

/* The loader adds the base address to these pointers, except in read-only libraries such as the vDSO. */
static const void *table(const struct link_map *library, ElfW(Addr) address)
{
    return (const void *)(address < library->l_addr ? address + library->l_addr : address);
}

static struct symbols symbols_of(const struct link_map *library)
{
    struct symbols found = {0};
    for (const ElfW(Dyn) *entry = library->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB)
            found.list = table(library, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_STRTAB)
            found.names = table(library, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_GNU_HASH)
            found.hashes = table(library, entry->d_un.d_ptr);
    }
    return found;
}

/* Returns the exported function that contains an address, or NULL. */
static const ElfW(Sym) *function_at(const struct symbols *symbols, ElfW(Addr) offset)
{
    if (!symbols->list || !symbols->names || !symbols->hashes)
        return NULL;
    uint32_t count = symbols->hashes[0], first = symbols->hashes[1], words = symbols->hashes[2];
    const uint32_t *buckets = symbols->hashes + 4 + words * (sizeof(ElfW(Addr)) / 4);
    const uint32_t *chains = buckets + count;
    for (uint32_t bucket = 0; bucket < count; bucket++) {
        uint32_t index = buckets[bucket];
        if (index < first)
            continue;
        do {
            const ElfW(Sym) *symbol = &symbols->list[index];
            if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF
                && offset - symbol->st_value < symbol->st_size)
                return symbol;
        } while (!(chains[index++ - first] & 1));
    }
    return NULL;
}

/* A line for stderr; stdio may be locked or damaged. */
struct line {
    size_t length;
    char text[1024];
};

static void append(struct line *line, const char *text)
{
    while (*text && line->length < sizeof line->text - 1)
        line->text[line->length++] = *text++;
}

static void append_number(struct line *line, uintptr_t number)
{
    char digits[2 + 2 * sizeof number + 1];
    char *start = digits + sizeof digits - 1;
    *start = 0;
    do {
        *--start = "0123456789abcdef"[number & 15];
        number >>= 4;
    } while (number);
    *--start = 'x';
    *--start = '0';
    append(line, start);
}

static void append_place(struct line *line, const struct link_map *library, ElfW(Addr) address)
{
    struct symbols symbols = symbols_of(library);
    ElfW(Addr) offset = address - library->l_addr;
    const ElfW(Sym) *function = function_at(&symbols, offset);
    append(line, *library->l_name ? library->l_name : program_invocation_name);
    append(line, "(");
    if (function)
        append(line, symbols.names + function->st_name);
    append(line, "+");
    append_number(line, function ? offset - function->st_value : offset);
    append(line, ")");
}

/* Prints a frame as backtrace_symbols_fd does: "FILE(FUNCTION+OFFSET)[ADDRESS]". That function waits for the loader's
 * lock, which another thread holds while it loads a library: a crash would become a missed deadline. */
static void print_frame(void *address)
{
    struct line line = {0};
    struct dl_find_object found; /* needs no lock */
    if (_dl_find_object(address, &found) == 0)
        append_place(&line, found.dlfo_link_map, (ElfW(Addr))address);
    append(&line, "[");
    append_number(&line, (uintptr_t)address);
    append(&line, "]");
    line.text[line.length++] = '\n';
    ssize_t written = write(STDERR_FILENO, line.text, line.length);
    (void)written;
}

/* The handler is reset before it is called. */
static void print_stack(int number)
{
    void *frames[64];
    int count = backtrace(frames, 64);
    for (int index = 0; index < count; index++)
        print_frame(frames[index]);
    raise(number);
}

/* Enough for the registers of every processor, the unwinder, and the lines of print_frame. */
enum { SIGNAL_STACK_SIZE = 64 * 1024 };

void *csandbox_add_signal_stack(void)
{
    stack_t current;
    if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE))
        return NULL;
    stack_t added = {.ss_sp = malloc(SIGNAL_STACK_SIZE), .ss_size = SIGNAL_STACK_SIZE};
    if (added.ss_sp && sigaltstack(&added, NULL) == 0)
        return added.ss_sp;
    free(added.ss_sp);
    return NULL;
}

void csandbox_remove_signal_stack(void *stack)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    if (stack && sigaltstack(&none, NULL) == 0)
        free(stack);
}

void csandbox_report_crashes(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* The first call loads the unwinder, which is impossible in the sandbox. */
    void *frame;
    backtrace(&frame, 1);
    csandbox_add_signal_stack();
    struct sigaction action = {
        .sa_handler = print_stack, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
    const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++)
        sigaction(numbers[index], &action, NULL);
}
