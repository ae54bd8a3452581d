#!/usr/bin/env python3
# Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs checks on a test file and compares every diagnostic with its comments.

    // RUN: %check_tidy %s linesman-sentinel-write %t
    // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: ... [linesman-sentinel-write]
    // CHECK-NOTES: ...      the same, and notes are accounted for as well
    // CHECK-FIXES: ...      what the file looks like after --fix

A file without CHECK-MESSAGES and CHECK-NOTES must give no warning. Comments of
the test are blanked before the run, so that they cannot match themselves and
lines keep their numbers. Fixed files are run again and must be clean.

    %check_tidy [options] SOURCE CHECKS TEMP [clang-tidy options] [-- compiler options]

Options before SOURCE:
    -check-suffixes=A,B   also use CHECK-MESSAGES-A, ... (and not the plain ones)
    -config=YAML          passed to clang-tidy (without one, an empty one is)
    -fix-notes            apply fix-its that notes carry
    -not-clean            the fixed file still has the warnings (say why)
    -std=STANDARD         instead of c11 or c++20
"""

import argparse
import os
import re
import shlex
import subprocess
import sys

# What a message is about, for programs: LinesmanCheck::warn puts it at the end.
SUBJECT = re.compile(r" \[(?:variable|field|type|function|macro) [^\n]*?\](?= \[linesman-[^\]]*\]$)", re.MULTILINE)
CHECK_LINE = re.compile(r"//\s*(CHECK-(MESSAGES|NOTES|FIXES)|RUN).*")


def parse_arguments(argv):
    compiler = []
    if "--" in argv:
        at = argv.index("--")
        argv, compiler = argv[:at], argv[at + 1 :]
    parser = argparse.ArgumentParser()
    parser.add_argument("-clang-tidy", required=True)
    parser.add_argument("-plugin", required=True)
    parser.add_argument("-check-suffix", "-check-suffixes", dest="suffixes", default="")
    parser.add_argument("-config", default="{}")
    parser.add_argument("-fix-notes", action="store_true")
    parser.add_argument("-not-clean", action="store_true")
    parser.add_argument("-std")
    parser.add_argument("source")
    parser.add_argument("checks")
    parser.add_argument("temp")
    arguments, extra = parser.parse_known_args(argv)
    arguments.extra = extra
    arguments.compiler = compiler
    return arguments


def run(command):
    print("+", shlex.join(command), flush=True)
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return result.returncode, result.stdout


def blank(text):
    return "".join(CHECK_LINE.sub("//", line) for line in text.splitlines(keepends=True))


class Tester:
    def __init__(self, arguments):
        self.arguments = arguments
        extension = os.path.splitext(arguments.source)[1]
        self.copy = arguments.temp + extension
        self.original = open(arguments.source, encoding="utf-8").read()
        standard = arguments.std or ("c11" if extension == ".c" else "c++20")
        include = os.path.join(os.path.dirname(os.path.abspath(arguments.source)), "Inputs")
        self.compiler = [f"-std={standard}", "-nostdinc++", f"-I{include}", *arguments.compiler]
        self.prefixes = lambda kind: [
            f"CHECK-{kind}" + (f"-{suffix}" if suffix else "") for suffix in arguments.suffixes.split(",")
        ]

    def used(self, kind):
        return [prefix for prefix in self.prefixes(kind) if re.search(rf"{prefix}(-NEXT|-NOT|-SAME|-DAG)?:", self.original)]

    def tidy(self, *options):
        arguments = self.arguments
        code, output = run(
            [arguments.clang_tidy, "--load", arguments.plugin, f"--checks=-*,{arguments.checks}", f"--config={arguments.config}",
             *options, *arguments.extra, self.copy, "--", *self.compiler]
        )  # fmt: skip
        print(output)
        # Tests of checks hold the words; test/findings/from-tidy.test the subjects.
        warnings = re.findall(r": warning: .*\[linesman-[^\]]*\]$", output, re.MULTILINE)
        output, subjects = SUBJECT.subn("", output)
        if subjects != len(warnings):
            sys.exit(f"{len(warnings)} warnings, of which {subjects} say what they are about")
        if code < 0 or "PLEASE submit a bug report" in output:
            sys.exit("clang-tidy crashed")
        return output

    def file_check(self, prefixes, file, *options):
        code, output = run(
            ["FileCheck", f"-input-file={file}", self.arguments.source, "-check-prefixes=" + ",".join(prefixes), *options]
        )
        if code:
            sys.exit(output)

    def write_copy(self):
        os.makedirs(os.path.dirname(self.copy), exist_ok=True)
        with open(self.copy, "w", encoding="utf-8") as file:
            file.write(blank(self.original))

    def check_messages(self):
        self.write_copy()
        output = self.tidy()
        messages, notes = self.used("MESSAGES"), self.used("NOTES")
        if not messages and not notes:
            if re.search(r"(warning|error):", output):
                sys.exit("expected no diagnostics")
            return
        with open(self.copy + ".out", "w", encoding="utf-8") as file:
            file.write(output)
        if messages:
            self.file_check(messages, file.name, "-implicit-check-not={{warning|error}}:")
        if notes:
            # "this fix will not be applied..." depends on how clang-tidy is called.
            self.file_check(notes, file.name, "-implicit-check-not={{note|warning|error}}:")

    def check_fixes(self):
        prefixes = self.used("FIXES")
        if not prefixes:
            return
        self.write_copy()
        self.tidy("--fix-notes" if self.arguments.fix_notes else "--fix")
        self.file_check(prefixes, self.copy, "-strict-whitespace")
        again = self.tidy()
        if bool(re.search(r"(warning|error):", again)) != self.arguments.not_clean:
            sys.exit("the fixed file " + ("is clean" if self.arguments.not_clean else "is not clean"))


def main():
    tester = Tester(parse_arguments(sys.argv[1:]))
    tester.check_messages()
    tester.check_fixes()


if __name__ == "__main__":
    main()
