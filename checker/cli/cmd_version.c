/* SPDX-License-Identifier: MIT
 * warpbook version.
 */
#include "cli.h"
#include "config.h"

int cli_cmd_version(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {.doc = "Says which Warpbook this is."};
    struct cli_arguments arguments;
    cli_parse(&arguments, &usage, argc, argv);
    cli_say(cli, "warpbook %s", WB_VERSION);
    return CLI_PASSED;
}
