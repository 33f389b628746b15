// SPDX-License-Identifier: Apache-2.0
//
// plain_sql DATABASE open TIMES
// plain_sql DATABASE query TIMES SQL
// plain_sql DATABASE change TIMES COUNT
// plain_sql DATABASE import FOLDER BLOBS
//
// The same operations through SQLite's C interface. Prints the median, minimum and maximum in milliseconds.

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static double values[10000];
static int count;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static void check(int status, sqlite3 *database) {
    if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE) return;
    fprintf(stderr, "plain_sql: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static sqlite3 *opened(const char *path) {
    sqlite3 *database;
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), NULL);
    check(sqlite3_exec(database, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", 0, 0, 0), database);
    return database;
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), database);
    return statement;
}

// Steps through all rows and reads every column.
static void run(sqlite3 *database, sqlite3_stmt *statement) {
    int status;
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int column = 0; column < sqlite3_column_count(statement); column++) {
            if (sqlite3_column_type(statement, column) == SQLITE_TEXT) {
                sqlite3_column_text(statement, column);
            } else {
                sqlite3_column_int64(statement, column);
            }
        }
    }
    check(status, database);
    sqlite3_reset(statement);
}

static void change(sqlite3 *database, int times, int requests) {
    sqlite3_stmt *update = prepared(database,
        "UPDATE asset SET is_favorite = ?, modification_date = ? WHERE id = ?");
    for (int time = 0; time <= times; time++) {
        double start = now();
        check(sqlite3_exec(database, "BEGIN IMMEDIATE", 0, 0, 0), database);
        for (int id = 1; id <= requests; id++) {
            sqlite3_bind_int(update, 1, time % 2);
            sqlite3_bind_int64(update, 2, 1700000000000000 + time);
            sqlite3_bind_int(update, 3, id);
            run(database, update);
        }
        check(sqlite3_exec(database, "COMMIT", 0, 0, 0), database);
        if (time > 0) values[count++] = now() - start;
    }
}

// Durably copies a file to its own path, as the library does, and inserts its rows.
static void import(sqlite3 *database, const char *folder, const char *blobs) {
    sqlite3_stmt *asset = prepared(database,
        "INSERT INTO asset (uuid, media_type, media_subtypes, source_type, pixel_width, pixel_height,"
        " original_pixel_width, original_pixel_height, added_date, modification_date, duration,"
        " is_favorite, is_hidden, represents_burst, burst_selection_types, original_filename, generation)"
        " VALUES (?, 1, 0, 1, 4000, 3000, 4000, 3000, 0, 0, 0, 0, 0, 0, 0, ?, 0)");
    sqlite3_stmt *blob = prepared(database, "INSERT INTO blob VALUES (?, 4096)");
    sqlite3_stmt *resource = prepared(database,
        "INSERT INTO resource (asset_id, type, is_primary, blob_hash, filename, format)"
        " VALUES (?, 1, 1, ?, ?, 'jpeg')");
    DIR *directory = opendir(folder);
    int parent = open(blobs, O_RDONLY);
    char from[4096], to[4096], hash[65], bytes[65536];
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        double start = now();
        snprintf(from, sizeof from, "%s/%s", folder, entry->d_name);
        snprintf(hash, sizeof hash, "%064d", count + 1);
        snprintf(to, sizeof to, "%s/%s", blobs, hash);
        int input = open(from, O_RDONLY), output = open(to, O_WRONLY | O_CREAT | O_EXCL, 0444);
        for (ssize_t length; (length = read(input, bytes, sizeof bytes)) > 0;) {
            if (write(output, bytes, length) != length) exit(1);
        }
        fsync(output);
        close(input), close(output);
        fsync(parent);
        check(sqlite3_exec(database, "BEGIN IMMEDIATE", 0, 0, 0), database);
        sqlite3_bind_text(asset, 1, hash, -1, SQLITE_STATIC);
        sqlite3_bind_text(asset, 2, entry->d_name, -1, SQLITE_STATIC);
        run(database, asset);
        sqlite3_bind_text(blob, 1, hash, -1, SQLITE_STATIC);
        sqlite3_bind_int64(resource, 1, sqlite3_last_insert_rowid(database));
        run(database, blob);
        sqlite3_bind_text(resource, 2, hash, -1, SQLITE_STATIC);
        sqlite3_bind_text(resource, 3, entry->d_name, -1, SQLITE_STATIC);
        run(database, resource);
        check(sqlite3_exec(database, "COMMIT", 0, 0, 0), database);
        values[count++] = now() - start;
    }
    closedir(directory);
}

int main(int argc, char **argv) {
    if (argc < 4) return 64;
    const char *path = argv[1], *verb = argv[2];
    int times = atoi(argv[3]);
    if (strcmp(verb, "open") == 0) {
        for (int time = 0; time < times; time++) {
            double start = now();
            sqlite3 *database = opened(path);
            run(database, prepared(database, "SELECT uuid FROM library"));
            sqlite3_close_v2(database);
            values[count++] = now() - start;
        }
    } else {
        sqlite3 *database = opened(path);
        if (strcmp(verb, "query") == 0) {
            sqlite3_stmt *statement = prepared(database, argv[4]);
            run(database, statement);
            for (int time = 0; time < times; time++) {
                double start = now();
                run(database, statement);
                values[count++] = now() - start;
            }
        } else if (strcmp(verb, "change") == 0) {
            change(database, times, atoi(argv[4]));
        } else if (strcmp(verb, "import") == 0) {
            import(database, argv[3], argv[4]);
        } else {
            return 64;
        }
    }
    if (count == 0) return 1;
    qsort(values, count, sizeof *values, compare);
    printf("%f\t%f\t%f\n", values[count / 2], values[0], values[count - 1]);
    return 0;
}
