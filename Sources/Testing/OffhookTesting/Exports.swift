// SPDX-License-Identifier: MIT

// A test of a calling app needs one import: the phone comes along.
@_exported public import VirtualPhone
