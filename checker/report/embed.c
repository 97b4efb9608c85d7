/* SPDX-License-Identifier: MIT
 * Build-time tool: embed NAME < FILE writes a C file that defines `const char NAME[]`.
 */
#include <stdio.h>

int main(int argc, char **argv)
{
    int byte, column = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: embed NAME < FILE > FILE.c\n");
        return 2;
    }
    printf("extern const char %s[];\nconst char %s[] = {\n", argv[1], argv[1]);
    while ((byte = getchar()) != EOF) {
        column = (column + 1) % 20;
        printf("%d,%s", byte < 128 ? byte : byte - 256, column ? "" : "\n");
    }
    printf("0};\n");
    return ferror(stdin) || fflush(stdout) != 0;
}
