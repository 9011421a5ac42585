// SPDX-License-Identifier: MIT
#pragma once
#include <gst/gst.h>
