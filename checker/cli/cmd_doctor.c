/* SPDX-License-Identifier: MIT
 * warpbook doctor: one sentence per thing a check needs: whether it works, and if not, what to do.
 * To look at another thing, add a function and its row in `examinations`.
 */
#include "cli.h"
#include "config.h"

#include <warpbook/device.h>
#include <warpbook/proc.h>

#include <string.h>
#include <unistd.h>

enum health { HEALTHY, LIMITED, SICK };

struct doctor {
    struct cli *cli;
    struct wb_toolchain toolchain; /* root NULL: none was found */
    bool has_device;
};

/* A sentence on the arena's memory, and how well the thing is. */
struct diagnosis {
    enum health health;
    const char *sentence;
};

static struct diagnosis say(enum health health, const char *sentence)
{
    return (struct diagnosis){health, sentence};
}

static struct diagnosis look_at_book(struct doctor *doctor)
{
    struct wb_status status = {0};
    struct cli *cli = doctor->cli;
    if (!wb_book_open(&cli->book, &cli->arena, WB_SOURCE_ROOT, cli_build_root(), &status)) {
        return say(SICK, wb_arena_strdup(&cli->arena, status.message));
    }
    return say(
        cli->book.lesson_count ? HEALTHY : SICK,
        wb_arena_printf(&cli->arena, "%zu lessons in %s.", cli->book.lesson_count, cli->book.root));
}

static struct diagnosis look_at_bench(struct doctor *doctor)
{
    struct cli *cli = doctor->cli;
    size_t missing = 0;
    for (size_t i = 0; i < cli->book.lesson_count; i++) {
        missing += !wb_file_exists(cli->book.lessons[i].exercise);
    }
    if (missing) {
        return say(LIMITED,
                   wb_arena_printf(&cli->arena,
                                   "%zu of %zu exercises are missing; `" WB_PROGRAM " lay` lays "
                                   "them.",
                                   missing, cli->book.lesson_count));
    }
    return say(HEALTHY, "Every exercise is in exercises/.");
}

static struct diagnosis look_at_checkers(struct doctor *doctor)
{
    struct cli *cli = doctor->cli;
    size_t missing = 0;
    for (size_t i = 0; i < cli->book.lesson_count; i++) {
        missing += access(cli->book.lessons[i].checker, X_OK) != 0;
    }
    if (missing) {
        return say(SICK, wb_arena_printf(&cli->arena,
                                         "%zu of %zu check programs are not built; `ninja -C %s` "
                                         "builds them.",
                                         missing, cli->book.lesson_count, cli_build_root()));
    }
    return say(HEALTHY, "Every check program is built.");
}

static struct diagnosis look_at_cache(struct doctor *doctor)
{
    struct cli *cli = doctor->cli;
    struct wb_status status = {0};
    if (!cli->book.cache) {
        return say(LIMITED, "Not looked at, because no workbook was found.");
    }
    const char *probe = wb_path_join(&cli->arena, cli->book.cache, "doctor");
    bool ok = wb_dir_make(cli->book.cache, &status) && wb_file_write(probe, "", 0, &status);
    unlink(probe);
    if (!ok) {
        return say(SICK, wb_arena_printf(&cli->arena,
                                         "%s Make it writable, or set WARPBOOK_CACHE to a folder "
                                         "that is.",
                                         status.message));
    }
    return say(HEALTHY, wb_arena_printf(&cli->arena, "%s is writable.", cli->book.cache));
}

static struct diagnosis look_at_nvcc(struct doctor *doctor)
{
    struct cli *cli = doctor->cli;
    struct wb_status status = {0};
    const char *tree = cli->book.root ? cli->book.root : WB_SOURCE_ROOT;
    if (!wb_toolchain_find(&doctor->toolchain, &cli->arena, WB_NVCC[0] ? WB_NVCC : NULL, tree,
                           &status)) {
        doctor->toolchain = (struct wb_toolchain){0};
        return say(SICK, wb_arena_strdup(&cli->arena, status.message));
    }
    return say(HEALTHY, wb_arena_printf(&cli->arena, "Version %s, %s.", doctor->toolchain.version,
                                        doctor->toolchain.nvcc));
}

/* Only for readers who look at machine code themselves: no check needs it. */
static struct diagnosis look_at_cuobjdump(struct doctor *doctor)
{
    struct wb_arena *arena = &doctor->cli->arena;
    const char *nvcc = doctor->toolchain.nvcc;
    const char *beside = nvcc ? wb_path_join(arena, wb_path_folder(arena, nvcc), "cuobjdump") : "";
    const char *path = access(beside, X_OK) == 0 ? beside : wb_proc_which(arena, "cuobjdump");
    if (!path) {
        return say(LIMITED, "Not found. It shows machine code; no check needs it. It is part of a "
                            "CUDA toolkit; or `pip install nvidia-cuda-cuobjdump "
                            "nvidia-cuda-nvdisasm`, which lays it into nvidia/cu13/bin of pip's "
                            "folder.");
    }
    return say(HEALTHY, wb_arena_printf(arena, "%s.", path));
}

static struct diagnosis look_at_host_compiler(struct doctor *doctor)
{
    char *path = wb_proc_which(&doctor->cli->arena, "g++");
    if (!path) {
        return say(SICK, "nvcc needs g++, which is not in PATH. On Debian and Ubuntu: `apt-get "
                         "install g++`.");
    }
    return say(HEALTHY, wb_arena_printf(&doctor->cli->arena, "%s.", path));
}

static struct diagnosis look_at_device(struct doctor *doctor, const struct wb_device *device)
{
    struct wb_arena *arena = &doctor->cli->arena;
    struct wb_device_info info;
    struct wb_status status = {0};
    if (!device->probe(&info, doctor->toolchain.root, &status)) {
        return say(LIMITED, wb_arena_printf(arena, "Not usable: %s", status.message));
    }
    doctor->has_device = true;
    if (info.why_not[0]) {
        return say(LIMITED, wb_arena_printf(arena, "%s runs kernels, but cannot measure: %s",
                                            info.name, info.why_not));
    }
    return say(HEALTHY, wb_arena_printf(arena, "%s, compute capability %u.%u, counters: %s%s%s.",
                                        info.name, info.major, info.minor, info.counters,
                                        info.driver[0] ? ", " : "", info.driver));
}

static struct diagnosis look_at_gpu(struct doctor *doctor)
{
    return look_at_device(doctor, &wb_device_gpu);
}

static struct diagnosis look_at_sim(struct doctor *doctor)
{
    struct diagnosis diagnosis = look_at_device(doctor, &wb_device_sim);
    if (!doctor->has_device) { /* neither this one nor a GPU */
        diagnosis.health = SICK;
    }
    return diagnosis;
}

/* In this order: later ones use what earlier ones found. */
static const struct {
    const char *name;
    struct diagnosis (*look)(struct doctor *doctor);
} examinations[] = {
    {"workbook", look_at_book},
    {"exercises", look_at_bench},
    {"check programs", look_at_checkers},
    {"cache", look_at_cache},
    {"nvcc", look_at_nvcc},
    {"cuobjdump", look_at_cuobjdump},
    {"host compiler", look_at_host_compiler},
    {"device gpu", look_at_gpu},
    {"device sim", look_at_sim},
};

static void show(struct cli *cli, const char *name, struct diagnosis diagnosis)
{
    static const struct {
        enum wb_mark mark;
        enum wb_style style;
    } looks[] = {[HEALTHY] = {WB_MARK_GOOD, WB_STYLE_GOOD},
                 [LIMITED] = {WB_MARK_NONE, WB_STYLE_WARN},
                 [SICK] = {WB_MARK_BAD, WB_STYLE_BAD}};
    struct wb_paint *paint = &cli->paint;
    wb_paint_to(paint, 2);
    wb_paint_text(paint, looks[diagnosis.health].style,
                  wb_paint_mark(paint, looks[diagnosis.health].mark));
    wb_paint_printf(paint, WB_STYLE_STRONG, " %s", name);
    wb_paint_to(paint, 20);
    wb_paint_wrapped(paint, WB_STYLE_PLAIN, 20, diagnosis.sentence);
    wb_paint_line(paint);
}

int cli_cmd_doctor(struct cli *cli, int argc, char **argv)
{
    static const struct cli_usage usage = {
        .doc = "Says what works on this machine, and how to fix the rest. Exit code 0 when "
               "exercises can be checked, else 3."};
    struct cli_arguments arguments;
    struct doctor doctor = {.cli = cli};
    bool sick = false;
    cli_parse(&arguments, &usage, argc, argv);
    for (size_t i = 0; i < WB_ARRAY_LENGTH(examinations); i++) {
        struct diagnosis diagnosis = examinations[i].look(&doctor);
        show(cli, examinations[i].name, diagnosis);
        sick = sick || diagnosis.health == SICK;
    }
    cli_say(cli,
            sick ? "\nExercises cannot be checked yet: mend what is marked %s."
                 : "\nExercises can be checked on this machine.",
            wb_paint_mark(&cli->paint, WB_MARK_BAD));
    return sick ? CLI_BROKEN : CLI_PASSED;
}
