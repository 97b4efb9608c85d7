/* SPDX-License-Identifier: MIT
 * Is a file a program that can be run on the embedded device, and if not, what is to be done? See
 * wb_cudart_examine. The file may be anything: libelf reads it, and what it says is checked.
 */
#include <warpbook/cudart.h>

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char runtime_name[] = "libcudart.so.13";

/* What the file says about itself. */
struct program {
    char cudart[64]; /* the libcudart.so it is linked with, "" if none */
    bool driver;     /* it is linked with libcuda.so.1 */
    bool rpath;      /* DT_RPATH without DT_RUNPATH */
    bool device_code, sm_90;
    unsigned other_arch; /* of some other device code, 0 if none */
    bool ptx;            /* there is PTX */
};

/* ---- sections -------------------------------------------------------------------------------- */

static void read_needed(struct program *program, const char *library)
{
    if (wb_starts_with(library, "libcudart.so")) {
        snprintf(program->cudart, sizeof program->cudart, "%.60s", library);
    }
    program->driver = program->driver || wb_starts_with(library, "libcuda.so");
}

static void read_dynamic(struct program *program, Elf *elf, Elf_Scn *section,
                         const GElf_Shdr *header)
{
    bool rpath = false, runpath = false;
    GElf_Dyn entry;
    Elf_Data *data = elf_getdata(section, NULL);
    for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; i++) {
        const char *name =
            entry.d_tag == DT_NEEDED ? elf_strptr(elf, header->sh_link, entry.d_un.d_val) : NULL;
        if (name) {
            read_needed(program, name);
        }
        rpath = rpath || entry.d_tag == DT_RPATH;
        runpath = runpath || entry.d_tag == DT_RUNPATH;
    }
    program->rpath = rpath && !runpath;
}

static uint64_t load(const uint8_t *data, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, data, size); /* little endian, like every machine that CUDA runs on */
    return value;
}

/* Entries of one fat binary: a header of `header` bytes, then `size` bytes of code. */
static void read_entries(struct program *program, const uint8_t *data, uint64_t size)
{
    enum { KIND = 0, HEADER = 4, SIZE = 8, ARCH = 28, SMALLEST = 32, PTX = 1, ELF = 2 };
    while (size >= SMALLEST) {
        uint64_t header = load(data + HEADER, 4), body = load(data + SIZE, 8);
        unsigned kind = (unsigned)load(data + KIND, 2), arch = (unsigned)load(data + ARCH, 4);
        if (header < SMALLEST || header > size || body > size - header) {
            return;
        }
        program->device_code = true;
        program->ptx = program->ptx || kind == PTX;
        if (kind == ELF && arch == 90) {
            program->sm_90 = true;
        } else if (kind == ELF) {
            program->other_arch = arch;
        }
        data += header + body;
        size -= header + body;
    }
}

/* Section .nv_fatbin: one fat binary for each source file, at multiples of 8 bytes. */
static void read_fat_binaries(struct program *program, Elf_Scn *section)
{
    const uint64_t magic = 0xba55ed50;
    enum { HEADER = 6, SIZE = 8, SMALLEST = 16 };
    Elf_Data *data = elf_rawdata(section, NULL);
    const uint8_t *at = data ? data->d_buf : NULL;
    uint64_t left = at ? data->d_size : 0;
    while (left >= SMALLEST) {
        uint64_t header = load(at + HEADER, 2), body = load(at + SIZE, 8), step = 8;
        if (load(at, 4) == magic && header >= SMALLEST && header <= left && body <= left - header) {
            read_entries(program, at + header, body);
            step = (header + body + 7) / 8 * 8;
        }
        step = step < left ? step : left;
        at += step;
        left -= step;
    }
}

static void read_sections(struct program *program, Elf *elf)
{
    size_t names;
    Elf_Scn *section = NULL;
    if (elf_getshdrstrndx(elf, &names) != 0) {
        return;
    }
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        const char *name =
            gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && header.sh_type == SHT_DYNAMIC) {
            read_dynamic(program, elf, section, &header);
        } else if (name && strcmp(name, ".nv_fatbin") == 0) {
            read_fat_binaries(program, section);
        }
    }
}

/* ---- sentences ------------------------------------------------------------------------------- */

#define REBUILD "Build it with `" WB_CUDART_BUILD " -o program program.cu`."

static bool judge_code(const struct program *program, const char *path, struct wb_status *status)
{
    if (!program->device_code || program->sm_90) {
        return true; /* without any, kernels may come from a library of the program's own */
    }
    if (program->other_arch) {
        return WB_FAIL(status, BAD_INPUT,
                       "%s holds code for sm_%u%s, but the embedded device runs that of sm_90 "
                       "only. " REBUILD,
                       path, program->other_arch, program->ptx ? " and PTX" : "");
    }
    return WB_FAIL(status, BAD_INPUT,
                   "%s holds only PTX, which a GPU's driver would translate; the embedded device "
                   "runs the machine code of sm_90. " REBUILD,
                   path);
}

static bool judge(const struct program *program, const char *path, struct wb_status *status)
{
    if (strcmp(program->cudart, runtime_name) == 0) {
        return judge_code(program, path, status);
    }
    if (program->cudart[0]) {
        return WB_FAIL(status, BAD_INPUT,
                       "%s is linked with %s; the embedded device stands in for %s, of CUDA 13. "
                       "Build it with CUDA 13: `" WB_CUDART_BUILD " -o program program.cu`.",
                       path, program->cudart, runtime_name);
    }
    if (program->device_code) {
        return WB_FAIL(status, BAD_INPUT,
                       "%s carries the CUDA runtime inside itself (nvcc's default), so another one "
                       "cannot take its place. " REBUILD,
                       path);
    }
    if (program->driver) {
        return WB_FAIL(status, BAD_INPUT,
                       "%s uses the CUDA driver API (cuInit, cuLaunchKernel and so on), which the "
                       "embedded device does not offer; the runtime API (cudaMalloc, <<<...>>>) "
                       "works.",
                       path);
    }
    return WB_FAIL(status, BAD_INPUT,
                   "%s is not linked with %s: it makes no CUDA calls, or hides them in a library "
                   "that it opens. " REBUILD,
                   path, runtime_name);
}

/* ---- the file -------------------------------------------------------------------------------- */

static bool judge_other_file(int fd, const char *path, struct wb_status *status)
{
    char start[2] = "";
    if (wb_ends_with(path, ".cu") || wb_ends_with(path, ".cpp") || wb_ends_with(path, ".c")) {
        return WB_FAIL(
            status, BAD_INPUT,
            "%s is source code; give the program that is built from it: `" WB_CUDART_BUILD
            " -o program %s`.",
            path, path);
    }
    if (pread(fd, start, 2, 0) == 2 && memcmp(start, "#!", 2) == 0) {
        return WB_FAIL(status, BAD_INPUT,
                       "%s is a script; give the program that it starts, with its arguments.",
                       path);
    }
    return WB_FAIL(status, BAD_INPUT, "%s is no program (an ELF executable). " REBUILD, path);
}

static bool judge_elf(bool *preload, Elf *elf, const char *path, struct wb_status *status)
{
#if defined(__aarch64__)
    const GElf_Half here = EM_AARCH64;
#else
    const GElf_Half here = EM_X86_64;
#endif
    struct program program = {0};
    GElf_Ehdr header;
    if (!gelf_getehdr(elf, &header) || header.e_machine != here ||
        (header.e_type != ET_EXEC && header.e_type != ET_DYN)) {
        return WB_FAIL(status, BAD_INPUT,
                       "%s is no program that this machine can run (an object file, or code for "
                       "another kind of machine). " REBUILD,
                       path);
    }
    read_sections(&program, elf);
    *preload = program.rpath;
    return judge(&program, path, status);
}

static bool examine(bool *preload, int fd, const char *path, struct wb_status *status)
{
    struct stat file;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
        return WB_FAIL(status, BAD_INPUT, "%s is a folder or a device, not a program.", path);
    }
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    bool ok = elf && elf_kind(elf) == ELF_K_ELF ? judge_elf(preload, elf, path, status)
                                                : judge_other_file(fd, path, status);
    elf_end(elf);
    if (ok && access(path, X_OK) != 0) {
        return WB_FAIL(status, BAD_INPUT, "%s may not be executed: `chmod +x %s`.", path, path);
    }
    return ok;
}

bool wb_cudart_examine(bool *preload, const char *path, struct wb_status *status)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return errno == ENOENT
                   ? WB_FAIL(status, NOT_FOUND, "There is no program %s.", path)
                   : WB_FAIL(status, IO, "%s cannot be read: %s.", path, strerror(errno));
    }
    bool ok = examine(preload, fd, path, status);
    close(fd);
    return ok;
}
