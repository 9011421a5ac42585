// SPDX-License-Identifier: MIT
#pragma once
#include <uv.h>
