// SPDX-License-Identifier: MIT

// An app that imports Offhook names calls, handles and policies without a second import.
@_exported public import OffhookCore
