#!/usr/bin/env python3
"""Runs the worlds under a folder against what is written in them.

    run.py --worldc PATH [--exec interp,O0,O2] [--bless] [--first] [--uncovered STDLIB] FOLDER_OR_FILE...

A world file says what it expects in comments of its own:

    //? sqrt(2)                      an expression, asked in the world's scope;
    //> 1.4142135623730951           the answer, as `worldc ask` prints it, under every executor and level
    //? below(3)
    //! E0402 "no stream"            an answer that is an error: its number and a part of its message
    let x = 1 m + 1                  //~ E0301 "meters"    a diagnostic of this very line

    //@ nothing private          the world sees what the standard library keeps to itself

A diagnostic that no `//~` lists fails the file. --bless writes the answers that came into the `//>` lines. --first ends
at the first failure.
--uncovered lists what a standard library declares and no world here names.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

QUESTION = re.compile(r"^\s*//\?\s*(.+?)\s*$")
ANSWER = re.compile(r"^\s*//>\s?(.*?)\s*$")
REFUSAL = re.compile(r'^\s*//!\s*(E\d{4})(?:\s+"(.*)")?\s*$')
DIAGNOSTIC = re.compile(r'//~\s*([EW]\d{4})(?:\s+"((?:[^"\\]|\\.)*)")?')
OPEN = re.compile(r"^//@ nothing private$", re.M)
STDLIB = pathlib.Path(__file__).resolve().parents[2] / "stdlib"


class Question:
    def __init__(self, text):
        self.text = text
        self.answer_line = None  # index of its //> line
        self.answer = None
        self.error = None  # (number, part of the message)


def read_questions(lines):
    questions = []
    for index, line in enumerate(lines):
        if match := QUESTION.match(line):
            questions.append(Question(match[1]))
        elif questions and (match := ANSWER.match(line)):
            questions[-1].answer, questions[-1].answer_line = match[1], index
        elif questions and (match := REFUSAL.match(line)):
            questions[-1].error = (match[1], match[2] or "")
    return questions


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit code {done.returncode}: {done.stderr.strip()[-400:]}")
    return done


def open_library(folder):
    """The standard library without the word private, in that folder."""
    for source in STDLIB.glob("*/*.world"):
        copy = pathlib.Path(folder, source.parent.name, source.name)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(re.sub(r"^private ", "", source.read_text(encoding="utf-8"), flags=re.M), encoding="utf-8")
    return ["--stdlib", folder]


class Runner:
    def __init__(self, worldc, executors, bless, first, warm=()):
        self.worldc = worldc
        self.first = first
        self.warm = warm
        self.variants = [["--exec", "interp"] if how == "interp" else ["--exec", "always", f"-{how}"] for how in executors]
        self.bless = bless
        self.library = []
        self.failures = 0

    def fail(self, path, message):
        self.failures += 1
        print(f"{path}: {message}")
        if self.first:
            sys.exit(1)

    def check_diagnostics(self, path, lines):
        wanted = [(number, match[1], (match[2] or "").replace('\\"', '"'))
                  for number, line in enumerate(lines, 1) for match in DIAGNOSTIC.finditer(line)]
        output = run([self.worldc, "check", *self.library, "--json", str(path)]).stdout
        for found in json.loads(output or "[]"):
            row = next((w for w in wanted
                        if w[:2] == (found["line"], found["id"]) and w[2] in found["message"]), None)
            if row:
                wanted.remove(row)
            else:
                self.fail(path, f'line {found["line"]}: unexpected {found["id"]}: {found["message"]}')
        for number, identity, part in wanted:
            self.fail(path, f'line {number}: {identity} "{part}" did not come')

    def ask_all(self, path, questions, variant, bless):
        """One process: a question costs little once the world is open. Behind each question that is refused comes one of a name
        of its own, which is refused too: the ends of what the questions before it said."""
        asked, refused = [q for q in questions if not q.error], [q for q in questions if q.error]
        ends = [f"endOf{number}" for number in range(len(refused))]
        texts = [q.text for q in asked] + [text for q, end in zip(refused, ends) for text in (q.text, end)]
        done = run([self.worldc, "ask", *variant, *self.library, str(path), *texts])
        answers, said = done.stdout.splitlines(), done.stderr
        if len(answers) != len(asked):
            self.fail(path, f"{' '.join(variant)}: {len(answers)} answers to {len(asked)} questions\n{said}{done.stdout}")
            return
        for question, answer in zip(asked, answers):
            self.compare(path, question, answer, variant, bless)
        for question, end in zip(refused, ends):
            own, *rest = re.split(rf"nothing here is called '{end}' \[E0201\]\n.*\n.*\^\n", said, maxsplit=1)
            said = rest[0] if rest else ""
            number, part = question.error
            if f"[{number}]" not in own or part not in own:
                self.fail(path, f"{' '.join(variant)}: {question.text}: {number} expected\n{own}")

    def compare(self, path, question, answer, variant, bless):
        if bless:
            question.answer = answer
        elif answer != question.answer:
            self.fail(path, f"{' '.join(variant)}: {question.text}\n  wanted {question.answer}\n  got    {answer}")

    def run_file(self, path):
        with tempfile.TemporaryDirectory() as folder:
            self.library = open_library(folder) if OPEN.search(path.read_text(encoding="utf-8")) else []
            self.ask_file(path)

    def ask_file(self, path):
        lines = path.read_text(encoding="utf-8").splitlines()
        questions = read_questions(lines)
        try:
            self.check_diagnostics(path, lines)
            for number, variant in enumerate(self.variants if questions else []):
                if path.stem in self.warm:
                    variant = ["jit" if word == "always" else word for word in variant]
                self.ask_all(path, questions, variant, self.bless and number == 0)
        except (RuntimeError, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
            self.fail(path, str(error))
        if self.bless:
            self.write_answers(path, lines, questions)

    @staticmethod
    def write_answers(path, lines, questions):
        out, by_text = [], iter(questions)
        for line in lines:
            if ANSWER.match(line):
                continue
            out.append(line)
            if QUESTION.match(line):
                question = next(by_text)
                if question.answer is not None and not question.error:
                    out.append(f"//> {question.answer}")
        path.write_text("\n".join(out) + "\n", encoding="utf-8")


def uncovered(stdlib, files):
    """Names of the prelude's functions that no golden mentions."""
    packages = re.findall(r"^PACKAGE\((\w+), PRELUDE", (stdlib / "packages.def").read_text(), re.M)
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for package in packages:
        source = "".join(file.read_text(encoding="utf-8") for file in sorted((stdlib / package).glob("*.world")))
        names = re.findall(r"^(?:extern |intrinsic )?fn (\w+)", source, re.M)
        missing = sorted({name for name in names if not re.search(rf"\b{name}\b", text)})
        if missing:
            print(f"{package}: no golden for {', '.join(missing)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worldc", required=True)
    parser.add_argument("--exec", default="interp,O0,O1,O2,O3")
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--uncovered", type=pathlib.Path)
    parser.add_argument("--without", default="", help="worlds by name, with commas between")
    parser.add_argument("--warm", default="", help="worlds by name, of which machine code is made where it is asked often, not always")
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted(f for p in options.paths for f in (p.rglob("*.world") if p.is_dir() else [p]))
    files = [f for f in files if f.stem not in options.without.split(",")]
    if options.uncovered:
        uncovered(options.uncovered, files)
    runner = Runner(options.worldc, options.exec.split(","), options.bless, options.first, options.warm.split(","))
    for file in files:
        runner.run_file(file)
    print(f"{len(files)} worlds, {runner.failures} failures")
    return 1 if runner.failures or not files else 0


if __name__ == "__main__":
    sys.exit(main())
