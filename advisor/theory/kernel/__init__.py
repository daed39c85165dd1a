"""An interface run packet by packet by a small kernel of machine code: about 0.1 µs a packet.

`source/` holds the kernel in C. ``python -m tools.kernel`` builds `kernel.wasm` from it, which runs
in a WebAssembly machine: the same digits everywhere. `source/kernel.h` shows its structure.
"""
