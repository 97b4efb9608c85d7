#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""exec-open.py WARPBOOK NVCC FIXTURES: a program that launches the kernels of a measured corpus.

Writes a host program around each NAME.cu of the corpora below, runs it under `warpbook exec
--counters` and compares every kernel's totals and output with NAME.counters, which holds what one
H200 counted. Speaks TAP. What may differ, and why, is a row of MAY_DIFFER (the reasons stand in
unit/test_open.c, which compares the same kernels instruction by instruction).
"""
import json
import os
import re
import subprocess
import sys
import tempfile

CORPORA = ['open/open', 'probes/accesses']
COMPILER = 'release 13.0'  # another one may make other instructions

COLUMNS = ['branch_targets_uniform', 'branch_targets_divergent', 'inst_executed',
           'thread_inst_executed', 'thread_inst_executed_pred_on', 'shared_wavefronts',
           'shared_wavefronts_ideal', 'global_sectors', 'global_sectors_ideal', 'local_sectors']
TOTALS = ['idc_divergent_instructions', 'idc_divergent_instruction_replays']

# kernel: the relative difference that its counters may have; None: any, output as well.
MAY_DIFFER = {'o_loops': 0.01, 'o_mandel': 0.01, 'o_cluster2': 0.01, 'a_float_banks': 0.01,
              'o_recur': 0.13, 'o_local': None, 'o_caswarps': None, 'bypass16': 0.05,
              'bypass16_same': 0.08, 'bypass16_skewed': 0.06}

HOST = r'''
#include <cstdio>
#include <cstring>
static unsigned long long state;
static unsigned long long next() { return state = state * 6364136223846793005ull + 1442695040888963407ull; }
static unsigned next_u32() { return (unsigned)(next() >> 32); }
static float next_f32() { return (float)(0.1 + 1.9 * ((double)(next() >> 41) + 0.5) / 8388608.0); }
static double next_f64() { return 0.1 + 1.9 * ((double)(next() >> 11) + 0.5) / 9007199254740992.0; }
static unsigned char bytes[1 << 20];
static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) { printf("# %s: %s\n", what, cudaGetErrorString(error)); }
}
static void run(const char *name, const void *kernel, dim3 grid, dim3 block, unsigned shared,
                int n, char type, unsigned count, unsigned written, void *in, void *out)
{
    memset(bytes, 0, sizeof bytes);
    state = 0x123456789abcdefull;
    for (unsigned i = 0; i < count; i++) {
        if (type == 'i') { ((unsigned *)bytes)[i] = next_u32(); }
        if (type == 'f') { ((float *)bytes)[i] = next_f32(); }
        if (type == 'd') { ((double *)bytes)[i] = next_f64(); }
    }
    check(cudaMemcpy(in, bytes, sizeof bytes, cudaMemcpyHostToDevice), name);
    check(cudaMemset(out, 0xcd, sizeof bytes), name);
    if (shared > 48 * 1024) {
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), name);
    }
    void *arguments[] = {&in, &out, &n};
    check(cudaLaunchKernel(kernel, grid, block, arguments, shared, 0), name);
    check(cudaMemcpy(bytes, out, sizeof bytes, cudaMemcpyDeviceToHost), name);
    unsigned long long hash = 0xcbf29ce484222325ull;
    for (unsigned i = 0; i < written; i++) { hash = (hash ^ bytes[i]) * 0x100000001b3ull; }
    printf("%s %016llx\n", name, hash);
}
int main()
{
    void *in, *out;
    check(cudaMalloc(&in, sizeof bytes), "in");
    check(cudaMalloc(&out, sizeof bytes), "out");
    check(cudaDeviceSetLimit(cudaLimitStackSize, 4096), "stack");
'''

FILL = {
    'cdata': ('unsigned', 'next_u32'),
    'cfdata': ('float', 'next_f32'),
}


def host_program(source):
    """The text of a program around the kernels of `source`, and the rows of its launches."""
    with open(source) as f:
        text = f.read()
    rows = [line.split() for line in re.findall(r'^//@ (.*)$', text, re.M)]
    program = f'#include "{source}"\n' + HOST
    for name, (kind, generator) in FILL.items():
        found = re.search(r'__constant__ \w+ ' + name + r'\[(\d+)\];', text)
        if found:
            program += (f'    {{ static {kind} values[{found[1]}]; state = 0xfedcba987654321ull;\n'
                        f'      for (auto &value : values) {{ value = {generator}(); }}\n'
                        f'      check(cudaMemcpyToSymbol({name}, values, sizeof values), "{name}"); }}\n')
    types = {'f32': 'f', 'f64': 'd'}
    for row in rows:
        name, numbers = row[0], row[1:9]
        gx, gy, gz, bx, by, bz, shared, n = numbers
        program += (f'    run("{name}", (const void *){name}, dim3({gx}, {gy}, {gz}), '
                    f'dim3({bx}, {by}, {bz}), {shared}, {n}, \'{types.get(row[9], "i")}\', '
                    f'{row[10]}, {row[11]}, in, out);\n')
    return program + '    return 0;\n}\n', [row[0] for row in rows]


def measured(path):
    """kernel: (hash of the output, totals by counter)."""
    kernels, totals = {}, None
    with open(path) as f:
        for line in f:
            words = line.split()
            if line.startswith('#') or not words:
                continue
            if words[0] == 'kernel':
                totals = dict.fromkeys(COLUMNS, 0)
                totals.update({name: int(word) for name, word in zip(TOTALS, words[3:])
                               if word.isdigit()})
                kernels[words[1]] = words[2], totals
                continue
            numbers = [int(word) for word in words]
            count = (numbers[1] - numbers[0]) // 16 + 1
            for name, number in zip(COLUMNS, numbers[2:]):
                totals[name] += count * number
    return kernels


def differences(kernel, launch, output, expected):
    """What is not as it must be, in words."""
    tolerance = MAY_DIFFER.get(kernel, 0)
    if tolerance is None:
        return []
    found = [] if output == expected[0] else [f'output {output} instead of {expected[0]}']
    for name, hardware in expected[1].items():
        ours = launch['counters'].get(name)
        if ours is None or abs(ours - hardware) > tolerance * hardware:
            found.append(f'{name} {ours} instead of {hardware}')
    return found


def compare(number, corpus, warpbook, nvcc, fixtures, folder):
    stem = os.path.abspath(os.path.join(fixtures, corpus))
    program, rows = host_program(stem + '.cu')
    source, binary = os.path.join(folder, 'host.cu'), os.path.join(folder, 'host')
    counters = os.path.join(folder, 'counters.json')
    with open(source, 'w') as f:
        f.write(program)
    subprocess.run([nvcc, '-arch=sm_90', '-cudart', 'shared', '-lineinfo', '-w', '-o', binary,
                    source], check=True)
    done = subprocess.run([warpbook, 'exec', '--counters', counters, binary], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):  # 1: some of the kernels have races on purpose
        sys.exit(done.stderr)
    outputs = dict(line.split() for line in done.stdout.splitlines() if not line.startswith('#'))
    with open(counters) as f:
        launches = {launch['kernel']: launch for launch in json.load(f)['launches']}
    wrong = [line for line in done.stdout.splitlines() if line.startswith('#')]
    expected = measured(stem + '.counters')
    for kernel in rows:
        if kernel not in launches or kernel not in expected:
            wrong.append(f'# {kernel}: not launched, or not measured')
            continue
        found = differences(kernel, launches[kernel], outputs.get(kernel), expected[kernel])
        wrong += [f'# {kernel}: {what}' for what in found]
    print('\n'.join(wrong[:40]))
    print(f'{"not ok" if wrong or not rows else "ok"} {number} - {corpus}: {len(rows)} kernels')
    return not wrong


def main():
    warpbook, nvcc, fixtures = sys.argv[1:4]
    try:
        version = subprocess.run([nvcc, '--version'], stdout=subprocess.PIPE, text=True).stdout
    except OSError:
        version = ''
    if COMPILER not in version:
        print(f'1..0 # SKIP the counters are those of code made by nvcc, {COMPILER}')
        return 0
    print(f'1..{len(CORPORA)}', flush=True)
    ok = True
    for number, corpus in enumerate(CORPORA, 1):
        with tempfile.TemporaryDirectory() as folder:
            ok = compare(number, corpus, warpbook, nvcc, fixtures, folder) and ok
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main())
