# SPDX-License-Identifier: MIT
"""Swift declarations in a form that can be compared."""

import re

ATTRIBUTE = re.compile(r"@\w+(?:\([^)]*\))?\s*")
MODIFIER = re.compile(
    r"\b(?:nonisolated\(nonsending\)\s*|"
    r"(?:open|public|final|optional|convenience|override|dynamic|weak|nonisolated|required|mutating)\b\s*)")
MODULE = re.compile(
    r"\b(?:Foundation|FoundationEssentials|Swift|Dispatch|CallKit|PushKit|AVFAudio|AVFoundation|LiveCommunicationKit)\.")


def normalised(declaration):
    """A declaration without attributes, access, modules' names and the spelling of default values."""
    text = ATTRIBUTE.sub("", declaration)
    text = MODIFIER.sub("", text)
    text = re.sub(r"\bclass (func|var|let|subscript)\b", r"static \1", text)
    text = re.sub(r"\s*=\s*(?:nil|\[\]|\[:\])", " = default", text)
    # A constant can be read like a computed property; a stored variable of one's own is one that can be set.
    text = re.sub(r"^(static )?let (.*)$", r"\1var \2 { get }", text.strip())
    text = text.replace("{ get set }", "")
    text = text.replace("any ", "").replace("`", "")
    text = MODULE.sub("", text)
    # The alias of an error's code and its full name are the same type.
    text = re.sub(r"\bCXError\w*\.Code\b", "Self.Code", text)
    return re.sub(r"\s+", " ", text).strip()


def same(one, other):
    """Whether two normalised declarations differ in blanks at most."""
    return one.replace(" ", "") == other.replace(" ", "")
