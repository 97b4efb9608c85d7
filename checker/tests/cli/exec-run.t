## needs nvcc
## Programs under `warpbook exec`: their own output, then the table and what was found.
$ cp $FIXTURES/exec/modes.cu .; $NVCC -arch=sm_90 -cudart shared -lineinfo -g -o modes modes.cu
$ warpbook exec ./modes ok
1 1
kernel     launches  branch efficiency  lanes of 32  sectors/ideal  wavefronts/ideal  registers
increment         1          no branch         29.6        250/250               0/0          8
$ warpbook exec ./modes fails
1 1
kernel     launches  branch efficiency  lanes of 32  sectors/ideal  wavefronts/ideal  registers
increment         1          no branch         29.6        250/250               0/0          8
[7]
$ warpbook exec ./modes out-of-bounds
cudaErrorIllegalAddress
kernel        launches  branch efficiency  lanes of 32  sectors/ideal  wavefronts/ideal  registers
past_the_end         1          no branch         32.0        128/128               0/0         10
modes.cu:25: error: thread (232,0,0) of block (3,0,0) writes 4 bytes just past the end of the memory from cudaMalloc (modes.cu:33) (4000 bytes, 1000 elements of 4) (kernel past_the_end, launched at modes.cu:103) [out-of-bounds]
modes.cu:25: note: Guard the access with the array's length.
[1]
$ warpbook exec ./modes host-pointer 2>&1 | grep :19: | sed 's/0x[0-9a-f]*/ADDRESS/'
modes.cu:19: error: thread (0,0,0) of block (0,0,0) reads 4 bytes at address ADDRESS, which looks like host memory; argument 1 of the kernel is an address of host memory (kernel increment, launched at modes.cu:113) [host-pointer]
modes.cu:19: note: Copy the data to the device and pass the device pointer.
$ warpbook exec ./modes wrong-kind
cudaErrorInvalidValue
No kernel ran to its end.
modes.cu:121: error: the copy is called cudaMemcpyHostToDevice, but its source is device memory and its destination host memory; for these two the kind is cudaMemcpyDeviceToHost [copy-kind]
modes.cu:121: note: Either the kind is wrong, or the first two arguments are swapped: the destination comes first, then the source.
[1]
$ warpbook exec ./modes unchecked
No kernel ran to its end.
modes.cu:130: error: the kernel launch failed with cudaErrorInvalidValue, and the program went on without asking for it [launch-failed]
modes.cu:130: note: A block has 1 to 1024 threads (z at most 64), a grid at least one block in each direction, and more than 48 KiB of dynamic shared memory want cudaFuncSetAttribute. After a launch, ask cudaGetLastError().
[1]
$ warpbook exec ./modes leaks
No kernel ran to its end.
modes.cu:139: warning: 1 stream made here was never given back with cudaStreamDestroy [leak]
modes.cu:139: note: Free it on every path, also after an error.
modes.cu:33: warning: 3 device allocations (12000 bytes) made here were never given back with cudaFree [leak]
modes.cu:33: note: Free it on every path, also after an error.
$ warpbook exec ./modes device-pointer-on-host
1 1
kernel     launches  branch efficiency  lanes of 32  sectors/ideal  wavefronts/ideal  registers
increment         1          no branch         29.6        250/250               0/0          8
modes.cu:97: error: the program used a device pointer (0x2000000000c, byte 12 of the memory from cudaMalloc (modes.cu:33) (4000 bytes)) on the host; the last CUDA call was cudaFree at modes.cu:49 (cudaSuccess) [crash]
modes.cu:97: note: Copy the data to the host with cudaMemcpy and use the copy; free device memory with cudaFree.
warpbook: ./modes was ended by signal 11 (Segmentation fault).
[139]
$ warpbook exec --trace ./modes wrong-kind
cudaErrorInvalidValue
modes.cu:33: cudaMalloc = cudaSuccess
modes.cu:37: cudaMemset = cudaSuccess
modes.cu:121: cudaMemcpy = cudaErrorInvalidValue
modes.cu:123: cudaFree = cudaSuccess
No kernel ran to its end.
modes.cu:121: error: the copy is called cudaMemcpyHostToDevice, but its source is device memory and its destination host memory; for these two the kind is cudaMemcpyDeviceToHost [copy-kind]
modes.cu:121: note: Either the kind is wrong, or the first two arguments are swapped: the destination comes first, then the source.
[1]
$ WARPBOOK_INJECT=cudaMalloc:1 warpbook exec --trace ./modes checked
cudaMalloc: out of memory
modes.cu:149: cudaMalloc = cudaErrorMemoryAllocation (asked for by WARPBOOK_INJECT)
No kernel ran to its end.
[5]
$ warpbook exec --report report.json ./modes wrong-kind; cat report.json
cudaErrorInvalidValue
No kernel ran to its end.
modes.cu:121: error: the copy is called cudaMemcpyHostToDevice, but its source is device memory and its destination host memory; for these two the kind is cudaMemcpyDeviceToHost [copy-kind]
modes.cu:121: note: Either the kind is wrong, or the first two arguments are swapped: the destination comes first, then the source.
{
  "findings": [
    {
      "kind": "copy-kind",
      "file": "TMP/tree/modes.cu",
      "line": 121,
      "message": "the copy is called cudaMemcpyHostToDevice, but its source is device memory and its destination host memory; for these two the kind is cudaMemcpyDeviceToHost",
      "advice": "Either the kind is wrong, or the first two arguments are swapped: the destination comes first, then the source."
    }
  ]
}
## Without -g the host program's lines are not known; the kernel's are.
$ $NVCC -arch=sm_90 -cudart shared -lineinfo -o modes modes.cu; warpbook exec ./modes leaks
No kernel ran to its end.
leaks+0x1a in modes: warning: 1 stream made here was never given back with cudaStreamDestroy [leak]
leaks+0x1a in modes: note: Free it on every path, also after an error.
make_array+0x18 in modes: warning: 3 device allocations (12000 bytes) made here were never given back with cudaFree [leak]
make_array+0x18 in modes: note: Free it on every path, also after an error.
For lines of the host program, compile it with -g as well.
$ $NVCC -arch=sm_90 -o static modes.cu; warpbook exec ./static ok
warpbook: ./static carries the CUDA runtime inside itself (nvcc's default), so another one cannot take its place. Build it with `nvcc -arch=sm_90 -cudart shared -lineinfo -g -o program program.cu`.
[3]
