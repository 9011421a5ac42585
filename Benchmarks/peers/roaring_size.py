#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the Int64s of a file into a Roaring bitmap: prints {"bits_per_number": …} as its last line."""

import array
import json
import os
import sys

from pyroaring import BitMap64


def main():
    numbers = array.array("Q")
    with open(sys.argv[1], "rb") as file:
        numbers.fromfile(file, os.path.getsize(sys.argv[1]) // 8)
    bitmap = BitMap64(numbers)
    bitmap.run_optimize()
    print(json.dumps({"bits_per_number": len(bitmap.serialize()) * 8 / len(bitmap)}))


if __name__ == "__main__":
    main()
