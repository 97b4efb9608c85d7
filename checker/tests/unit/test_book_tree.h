/* SPDX-License-Identifier: MIT
 * A small workbook in a temporary folder, for the tests of the book.
 */
#ifndef WARPBOOK_TESTS_BOOK_TREE_H
#define WARPBOOK_TESTS_BOOK_TREE_H

#include <warpbook/book.h>

struct book_tree {
    struct wb_arena arena;
    char *root; /* its real path; WARPBOOK_ROOT names it, too */
};

/* Lessons 04-indexing, 07-warp-aligned-branch and 12-uniform-loops, an empty exercises/. For
 * cmocka: setup and teardown of a test, with a struct book_tree as its state. */
int book_tree_setup(void **state);
int book_tree_teardown(void **state);

/* Path of a file of the tree; what `format` makes is relative to the root. */
char *book_tree_path(struct book_tree *tree, const char *format, ...) WB_PRINTF(2, 3);
/* Writes a file of the tree; makes its folder. */
void book_tree_write(struct book_tree *tree, const char *path, const char *text);
/* What a file holds; NULL if it is not there. */
char *book_tree_read(struct book_tree *tree, const char *path);
/* Opens the book of this tree; fails the test if that does not work. */
void book_tree_open(struct wb_book *book, struct book_tree *tree);

#endif
