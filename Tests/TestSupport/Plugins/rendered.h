/* SPDX-License-Identifier: Apache-2.0
 *
 * What adder.c does with the file that it gave as its output, by its mode: file-sparse and
 * file-hollow before it completes, the others when the completion has returned.
 */
#ifndef RENDERED_H
#define RENDERED_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Claims a length of 3 GiB, of which nothing is written. */
static void make_sparse(const char *path)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || ftruncate(file, 3L << 30) < 0)
        perror("sparse");
    close(file);
}

/* Gives the file a length of 1 GiB, of which the last byte alone is written. */
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
        /* The sandbox knows ftruncate only. */
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
