// SPDX-License-Identifier: MIT

print("offhook")
