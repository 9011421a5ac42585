#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes texts with telephone numbers, and what the `phonenumbers` package makes of them.

    phone_numbers.py SEED COUNT

A line: default region or "-", number (digits of E.164) or "-" when refused, "1" if valid else "0", the text as UTF-8
in base64. The first line is the package's version. Most texts are numbers of every region in the ways people write
them, made from the regular expressions of the numbering plans themselves; the rest are mutated or hostile.
"""

import base64
import random
import re
import sys

import phonenumbers
from phonenumbers import NumberParseException, PhoneMetadata, re_util
from phonenumbers.data import _COUNTRY_CODE_TO_REGION_CODE as REGIONS_OF

try:
    from re import _parser as sre_parse
except ImportError:
    import sre_parse

re_util.enable_pattern_cache()
TYPES = ("general_desc", "premium_rate", "toll_free", "shared_cost", "voip", "personal_number", "pager", "uan",
         "voicemail", "fixed_line", "mobile")
PARSED = {}
DIGITS = "0123456789"
SCRIPTS = (0xFF10, 0x660, 0x6F0, 0x966, 0x9E6, 0x1D7CE)
SEPARATORS = [" ", "-", ".", "/", " - ", "  ", ")", "(", "[", "]", "~", "*", "x", "X", "\u2010", "\u2013", "\u2212",
              "\u30FC", "\uFF0D", "\uFF0E", "\u00A0", "\u00AD", "\u200B", "\u2060", "\u3000", "\uFF08", "\uFF09", "\u2053"]
COMMON = [" ", "-", ".", "/", " "]
LABELS = ["Tel: ", "tel:", "Fax ", "call ", "Phone (work): ", "\u260E ", "n\u00ba ", "<", "\"", "'", "\t", "\n", "tel:+",
          "sip:", "mobile;", "\u7535\u8bdd\uff1a", "_", "#"]
TAILS = ["", ".", ",", ";", " ", "!", "_", "\n", ")", "\"", " (home)", "\u2026", "#", "\u00b2", "\u00e9", " \u0416", "/",
         "*", "\t", "abc", " or", "\u2160", "\u00bd"]
EXTENSIONS = ["x{}", " x{}", " ext. {}", " ext {}", "ext:{}", " extension {}", " extensi\u00f3n {}", " extensio\u0301n {}",
              " EXT {}", ";ext={}", ";EXT={}", "#{}", " #{}", " - {}#", " {}#", ",,{}", ",{}", ";{}", ",,,{}#", ";;{}",
              " \u0434\u043e\u0431. {}", " \u0414\u041e\u0411 {}", " anexo {}", " int {}", " \uff49\uff4e\uff54 {}",
              "\uff58{}", "\uff05{}", "~{}", " \uff45\uff58\uff54\uff4e {}", " xtn {}", " xtensin {}", " x{}/x{}", "\\x{}",
              ";ext={}\n", " , x : {}", " ext.\t{}", ", ,{}", " ext,-{}", "x {}#", "-{}#", ";isub={}", ";foo={}",
              "ex\u017ft {}", " \u0130nt {}", " \u1c81\u1c82\u0431 {}"]
CONTEXTS = ["+1", "+44", "+49-30", "+7.495", "+", "", "example.com", "a-b.c", "1a.com", "-a.b", "a..b", "a.b.", "+1;x=y",
            "+1a", "+\u0661", "\u0661.a", "+86(10)", "c\u00f6.de"]
HOSTILE = ["+", "\uff0b", "0", "00", "1", "9", "+0", "++", ";", ";ext=", ";isub=", ";phone-context=", "tel:", "x", "ext",
           "#", ",", ",,", "\\", "/", " ", "  ", "-", "(", ")", "\n", "\t", "\u00a0", "\u0301", "\u0663", "\uff11", "a", "B",
           "z", "\u0131", "\u0130", "\u017f", "\u212a", "\u00df", "\U0001F4DE", "\u200d", "\0", "%", "&", "12", "345", "6789",
           "int", "anexo", "~", "*", ".", ":", "49", "44", "86", "800", "0049", "011", "+1", "_", "\u00b2", "\u4e00"]


def regions():
    result = []
    for code, names in REGIONS_OF.items():
        for name in names:
            result.append((name, PhoneMetadata.metadata_for_region_or_calling_code(code, name)))
    return result


def resembling(chance, pattern):
    """A random string that the pattern matches."""
    if pattern not in PARSED:
        PARSED[pattern] = list(sre_parse.parse(pattern))
    return sequence(chance, PARSED[pattern])


def sequence(chance, items):
    out = ""
    for operation, argument in items:
        name = str(operation)
        if name == "LITERAL":
            out += chr(argument)
        elif name == "IN":
            pool = []
            for kind, value in argument:
                if str(kind) == "LITERAL":
                    pool.append(chr(value))
                elif str(kind) == "RANGE":
                    pool += [chr(c) for c in range(value[0], value[1] + 1)]
                else:
                    pool += DIGITS
            out += chance.choice(pool)
        elif name == "SUBPATTERN":
            out += sequence(chance, argument[-1])
        elif name == "BRANCH":
            out += sequence(chance, chance.choice(argument[1]))
        elif name == "MAX_REPEAT":
            low, high, inner = argument
            for _ in range(chance.randint(low, min(high, low + 4))):
                out += sequence(chance, inner)
    return out


def national(chance, metadata):
    descs = [d for d in (getattr(metadata, t) for t in TYPES) if d is not None and d.national_number_pattern]
    number = resembling(chance, chance.choice(descs).national_number_pattern)
    roll = chance.random()
    if roll < 0.1 and number:
        at = chance.randrange(len(number))
        number = number[:at] + chance.choice(DIGITS) + number[at + 1:]
    elif roll < 0.16:
        number = number[:-chance.randint(1, 4)]
    elif roll < 0.22:
        number += "".join(chance.choice(DIGITS) for _ in range(chance.randint(1, 5)))
    elif roll < 0.24:
        number = "".join(chance.choice(DIGITS) for _ in range(chance.randint(1, 19)))
    return number


def prefixed(chance, metadata, number):
    """The number as it is dialled from its own region, or from another."""
    code = str(metadata.country_code)
    roll = chance.random()
    parsing = metadata.national_prefix_for_parsing
    if roll < 0.22:
        return "+" + code + number
    if roll < 0.27:
        return "+" + code + (metadata.national_prefix or "0") + number
    if roll < 0.37:
        return (resembling(chance, metadata.international_prefix) if metadata.international_prefix else "00") + code + number
    if roll < 0.42:
        return chance.choice(["00", "011", "0", "++", "+00", "+0"]) + code + number
    if roll < 0.52:
        return code + number
    if roll < 0.55:
        return code + (metadata.national_prefix or "") + number
    if roll < 0.70:
        return (metadata.national_prefix or "") + number
    if roll < 0.85 and parsing:
        stem = resembling(chance, parsing)
        return stem if "$" in parsing and chance.random() < 0.5 else stem + number
    return number


def dressed(chance, number):
    """Separators, labels, extensions, other scripts."""
    roll = chance.random()
    if roll < 0.35:
        return number
    out = ""
    pool = COMMON if chance.random() < 0.7 else SEPARATORS
    for index, character in enumerate(number):
        if index and chance.random() < 0.25:
            out += chance.choice(pool)
        out += character
    if chance.random() < 0.1:
        out = re.sub(r"^(\+\d{2})", r"\1 (0) ", out)
    if chance.random() < 0.07:
        base = chance.choice(SCRIPTS)
        out = "".join(chr(base + int(c)) if c in DIGITS and chance.random() < 0.9 else c for c in out)
    if chance.random() < 0.05:
        out = out.replace("+", "\uff0b")
    if chance.random() < 0.08 and len(out) > 5:
        at = chance.randrange(3, len(out))
        out = out[:at] + "".join(chance.choice("abcdefgXYZklmnopqrst") for _ in range(chance.randint(1, 6))) + out[at + 2:]
    if chance.random() < 0.2:
        digits = "".join(chance.choice(DIGITS) for _ in range(chance.choice([1, 2, 3, 4, 5, 6, 7, 9, 10, 15, 16, 20, 21])))
        out += chance.choice(EXTENSIONS).replace("{}", digits)
    if chance.random() < 0.15:
        out = chance.choice(LABELS) + out
    if chance.random() < 0.15:
        out += chance.choice(TAILS)
    if chance.random() < 0.04:
        out += ";phone-context=" + chance.choice(CONTEXTS)
    return out


def mutated(chance, text):
    for _ in range(chance.randint(1, 3)):
        at = chance.randint(0, len(text))
        roll = chance.random()
        if roll < 0.5:
            text = text[:at] + chance.choice(HOSTILE) + text[at:]
        elif roll < 0.8:
            text = text[:at] + text[at + 1:]
        else:
            text = text[:at] + chance.choice(HOSTILE) + text[at + 1:]
    return text


def made(chance, all_regions):
    region, metadata = chance.choice(all_regions)
    text = dressed(chance, prefixed(chance, metadata, national(chance, metadata)))
    roll = chance.random()
    if roll < 0.15:
        text = mutated(chance, text)
    elif roll < 0.23:
        text = "".join(chance.choice(HOSTILE) for _ in range(chance.randint(0, 12)))
    elif roll < 0.25:
        text = "".join(chance.choice(DIGITS) for _ in range(chance.randint(1, 24)))
    elif roll < 0.253:
        text = text * chance.randint(2, 30)
    elif roll < 0.256:
        text = "".join(chr(chance.choice([*range(32, 127), chance.randrange(0xD800)])) for _ in range(chance.randint(1, 40)))
    elif roll < 0.26:
        text = " " * chance.randint(200, 260) + text
    roll = chance.random()
    if roll < 0.15:
        region = chance.choice(all_regions)[0]
    if roll > 0.95 or region == "001":
        region = "-"
    return region, text


def main():
    seed, count = sys.argv[1], int(sys.argv[2])
    chance = random.Random(seed)
    all_regions = regions()
    print(phonenumbers.__version__)
    for _ in range(count):
        region, text = made(chance, all_regions)
        number, valid = "-", 0
        try:
            parsed = phonenumbers.parse(text, None if region == "-" else region)
            number = str(parsed.country_code) + phonenumbers.national_significant_number(parsed)
            valid = int(phonenumbers.is_valid_number(parsed))
        except NumberParseException:
            pass
        print(region, number, valid, base64.b64encode(text.encode()).decode(), sep="\t")


if __name__ == "__main__":
    main()
