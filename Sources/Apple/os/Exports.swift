// SPDX-License-Identifier: MIT

// os_unfair_lock.
@_exported public import COS
