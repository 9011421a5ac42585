// SPDX-License-Identifier: MIT

// A file that imports both Testing and UIKit makes the compiler import this module, which Apple's toolchain has and the
// one for Linux lacks. On Apple's systems it attaches pictures to tests; here it is empty.
