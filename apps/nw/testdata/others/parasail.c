/* Scores of pairs by parasail (https://github.com/jeffdaily/parasail). Reads
   lines of seven fields between tabs, as make.go writes them, and writes a
   score for each: mode, free ends (start_a end_a start_b end_b, 0 or 1 each),
   matrix, gap open, gap extend, A, B.

     cc -O2 -o parasail parasail.c -lparasail */
#include <parasail.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const parasail_matrix_t *matrix(const char *name) {
    static char last[64];
    static const parasail_matrix_t *m;
    int match, mismatch;
    if (m && strcmp(last, name) == 0) return m;
    strcpy(last, name);
    if (sscanf(name, "DNA(%d,%d)", &match, &mismatch) == 2)
        m = parasail_matrix_create("ACGT", match, mismatch);
    else {
        char lower[64];
        int i;
        for (i = 0; name[i]; i++) lower[i] = name[i] | 0x20 * (name[i] >= 'A' && name[i] <= 'Z');
        lower[i] = 0;
        m = parasail_matrix_lookup(lower);
    }
    if (!m) {
        fprintf(stderr, "parasail has no matrix %s\n", name);
        exit(1);
    }
    return m;
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        char *mode = strtok(line, "\t"), *free = strtok(NULL, "\t"), *name = strtok(NULL, "\t");
        int open = atoi(strtok(NULL, "\t")), extend = atoi(strtok(NULL, "\t"));
        char *a = strtok(NULL, "\t"), *b = strtok(NULL, "\t\n");
        int la = strlen(a), lb = strlen(b), score;
        const parasail_matrix_t *m = matrix(name);
        parasail_result_t *r, *again; /* two of its algorithms, which should agree */
        if (strcmp(mode, "global") == 0) {
            r = parasail_nw_scan_32(a, la, b, lb, open, extend, m);
            again = parasail_nw(a, la, b, lb, open, extend, m);
        } else if (strcmp(mode, "local") == 0) {
            r = parasail_sw_scan_32(a, la, b, lb, open, extend, m);
            again = parasail_sw(a, la, b, lb, open, extend, m);
        } else {
            int sa = free[0] == '1', ea = free[1] == '1', sb = free[2] == '1', eb = free[3] == '1';
            r = parasail_sg_flags_scan(a, la, b, lb, open, extend, m, sa, ea, sb, eb);
            again = parasail_sg_flags(a, la, b, lb, open, extend, m, sa, ea, sb, eb);
        }
        score = r->score;
        if (again->score != score) {
            fprintf(stderr, "parasail disagrees with itself: %d and %d\n", score, again->score);
            return 1;
        }
        printf("%d\n", score);
        parasail_result_free(r);
        parasail_result_free(again);
    }
    return 0;
}
