/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes the output file of adder.c according to the mode: file-sparse and file-hollow before the completion
 * is called, the others after it has returned.
 */
#ifndef RENDERED_H
#define RENDERED_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Sets the length of the file to 3 GiB without writing anything. */
static void make_sparse(const char *path)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || ftruncate(file, 3L << 30) < 0)
        perror("sparse");
    close(file);
}

/* Extends the file to 1 GiB by writing only the last byte. */
static void make_hollow(const char *path)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || pwrite(file, "x", 1, (1L << 30) - 1) != 1)
        perror("hollow");
    close(file);
}

static void overwrite(const char *path)
{
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    char rubbish[4096];
    memset(rubbish, 'x', sizeof rubbish);
    for (int part = 0; part < 64; part++)
        if (write(file, rubbish, sizeof rubbish) < 0)
            perror("overwrite");
    close(file);
}

static void spoil_file(const char *mode, const char *path)
{
    if (strcmp(mode, "file-removed") == 0)
        unlink(path);
    else if (strcmp(mode, "file-overwritten") == 0)
        overwrite(path);
    else if (strcmp(mode, "file-truncated") == 0 && truncate(path, 100) < 0) {
        /* The sandbox allows only ftruncate. */
        int file = open(path, O_WRONLY | O_CLOEXEC);
        if (ftruncate(file, 100) < 0)
            perror("truncate");
        close(file);
    } else if (strcmp(mode, "file-replaced") == 0) {
        unlink(path);
        overwrite(path);
    }
}

#endif
