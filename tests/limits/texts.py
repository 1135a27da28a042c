"""Texts that a short rule makes large: each yields (name, text, question). All have at most 1 MiB, and nothing in them is an
error of the language unless the name says so; what is asked of them need not have an answer."""

MIB = 1 << 20


def fill(line, head="", tail="", size=MIB):
    """`line(i)` for i = 0, 1, ... as long as they fit between head and tail."""
    parts, used, i = [], len(head) + len(tail), 0
    while True:
        text = line(i)
        used += len(text)
        if used > size:
            return head + "".join(parts) + tail
        parts.append(text)
        i += 1


def doubling(levels, first, step, last):
    return first + "".join(step.replace("PREV", str(i - 1)).replace("NEXT", str(i)) for i in range(1, levels)) + last.replace("LAST", str(levels - 1))


def texts():
    # one function for each of 2^n types
    yield "generics", doubling(40, "fn f0[T](x: T) int { 1 }\n", "fn fNEXT[T](x: T) int { fPREV([x]) + fPREV((x, 1)) }\n", "field r = fLAST(1)\n"), "r"
    # types whose width doubles
    yield "tuples", doubling(60, "fn f0(x: number) number { x }\n", "fn wNEXT[T](x: T) int { PREV }\n", "") + doubling(
        60, "field a0 = 1.5\n", "field aNEXT = (aPREV, aPREV)\n", "field r = aLAST\n"), "r"
    yield "records", doubling(60, "record r0\n  v: number\n", "record rNEXT\n  x: rPREV\n  y: rPREV\n", "fn f(a: rLAST) int { 1 }\n"), "1"
    yield "aliases", doubling(40, "type t0 = number\n", "type tNEXT = (tPREV, tPREV)\n", "fn f(a: tLAST) int { 1 }\n"), "1"
    # calls that double
    yield "calls", doubling(200, "fn f0(x: number) number { x + 1 }\n", "fn fNEXT(x: number) number { fPREV(x) + fPREV(x + 1) }\n", "field r = fLAST(1.0)\n"), "r"
    yield "closures", doubling(60, "fn f0(g: fn(number) number) number { g(1) }\n",
                               "fn fNEXT(g: fn(number) number) number { fPREV(x => g(x) + 1) + fPREV(x => g(x) * 2) }\n",
                               "field r = fLAST(x => x)\n"), "r"
    # deep
    for what, left, right in (("brackets", "(", ")"), ("lists", "[", "]"), ("minus", "-", ""), ("nots", "!", "")):
        yield "deep_" + what, "field r = " + left * (MIB // 2 - 20) + ("true" if what == "nots" else "1") + right * (MIB // 2 - 20) + "\n", "r"
    yield "deep_ifs", "fn f(x: int) int { " + "if x > 0 { 1 } else { " * 40000 + "2" + " }" * 40001 + "\n", "f(0)"
    yield "deep_braces", "fn f(x: int) int { " + "if x > 0 { " * 60000 + "2" + " }" * 60001 + "\n", "f(0)"
    yield "deep_lambdas", "field r = " + "x => " * 150000 + "1\n", "1"
    yield "deep_members", "field r = a" + ".b" * 400000 + "\n", "1"
    yield "deep_parts", "".join("%spart p\n" % (" " * i) for i in range(1400)), "1"
    yield "deep_types", "field r: " + "List[" * 150000 + "int" + "]" * 150000 + " = []\n", "r"
    yield "deep_optional", "field r: int" + "?" * 900000 + " = none\n", "r"
    # long
    yield "sum", "field r = 1" + " + 1" * 250000 + "\n", "r"
    yield "text", 'field r = "' + "x" * (MIB - 100) + '"\n', "r.size()"
    yield "holes", 'field a = 1\nfield r = "' + "\\{a}" * 200000 + '"\n', "r.length()"
    yield "list_of_numbers", "field r = [" + "1.5, " * 200000 + "1.5]\n", "r.length()"
    yield "list_of_lists", "field r = [" + "[1, 2], " * 120000 + "[1, 2]]\n", "r.length()"
    yield "list_of_tuples", "field r = [" + "(1, 2.5, true), " * 60000 + "(1, 2.5, true)]\n", "r.length()"
    yield "tuple", "field r = (" + "1.5, " * 200000 + "1.5)\n", "1"
    yield "name", "field " + "a" * (MIB // 2) + " = 1\nfield r = " + "a" * (MIB // 2 - 100) + "\n", "r"
    yield "comment", "// " + "x" * (MIB - 20) + "\nfield r = 1\n", "r"
    yield "number", "field r = 0." + "1" * (MIB - 50) + "\n", "r"
    yield "lets", fill(lambda i: "  let a%d = a%d + 1\n" % (i + 1, i), "fn f(a0: int) int {\n", "  a0\n}\n"), "f(1)"
    yield "vars", fill(lambda i: "  a += %d\n" % i, "fn f(x: int) int {\n  var a = x\n", "  a\n}\n"), "f(1)"
    yield "else_ifs", fill(lambda i: " else if x == %d { %d }" % (i, i), "fn f(x: int) int { if x < 0 { 0 }", " else { 1 } }\n"), "f(7)"
    yield "arguments", "fn f(" + ", ".join("a%d: int" % i for i in range(50000)) + ") int { 1 }\n", "1"
    # many
    yield "fields", fill(lambda i: "field a%d = %d m\n" % (i, i)), "a7"
    yield "fields_chained", fill(lambda i: "field a%d = a%d + 1\n" % (i + 1, i), "field a0 = 1\n"), "a900"
    yield "fields_chained_back", fill(lambda i: "field a%d = a%d + 1\n" % (i, i + 1)), "1"
    yield "fields_twice", fill(lambda i: "field a = %d\n" % i), "1"
    yield "functions", fill(lambda i: "fn f%d(x: number) number { x * %d + sqrt(x) }\n" % (i, i)), "f7(2)"
    yield "functions_chained", fill(lambda i: "fn f%d(x: int) int { f%d(x) + 1 }\n" % (i + 1, i), "fn f0(x: int) int { x }\n"), "f90(1)"
    yield "overloads", fill(lambda i: "record r%d\n  v: int\nfn g(self: r%d) int { %d }\n" % (i, i, i)), "1"
    yield "lambdas", fill(lambda i: "field a%d = (0 ..< 3).toList().map(x => x + %d)\n" % (i, i)), "a7"
    yield "instances", fill(lambda i: "record r%d\n  v: int\nfield a%d = [r%d(v: 1)].map(x => x.v)\n" % (i, i, i)), "a7"
    yield "records_wide", "record r\n" + "".join("  a%d: int\n" % i for i in range(60000)), "1"
    yield "records_equal", fill(
        lambda i: "  n += if a == b { 1 } else { 2 }\n", "record r\n" + "".join("  a%d: int\n" % i for i in range(1000)) +
        "fn f(a: r, b: r) int {\n  var n = 0\n", "  n\n}\n"), "1"
    yield "designs", fill(lambda i: "part d%d\n  field v: int\npart p%d: d%d(v: %d)\n" % (i, i, i, i)), "p7.v"
    yield "designs_derived", fill(lambda i: "part d%d: d%d\n  field v%d = %d\n" % (i + 1, i, i, i), "part d0\n  field v = 1\n"), "1"
    yield "designs_held", fill(lambda i: "part d%d\n  part x: d%d\n" % (i + 1, i), "part d0\n  field v = 1\n"), "1"
    yield "designs_held_twice", doubling(60, "part d0\n  field v: int = 1\n", "part dNEXT\n  part x: dPREV\n  part y: dPREV\n", "part top: dLAST\n"), "top.x.y.at"
    yield "designs_copied", fill(lambda i: "part p%d: d\n" % i, "part d\n" + "".join("  field v%d = %d\n" % (i, i) for i in range(3000))), "p7.v7"
    yield "parts", fill(lambda i: "part p%d\n" % i), "p7.at"
    yield "families", fill(lambda i: "each i in 0 ..< 3 {\n  part p%d[i]\n}\n" % i), "1"
    yield "checks", fill(lambda i: 'check "c%d" { %d > 0 }\n' % (i, i + 1)), "1"
    yield "errors", fill(lambda i: "field a%d = nosuch%d\n" % (i, i)), "1"
    yield "errors_of_syntax", fill(lambda i: "field a%d = )\n" % i), "1"
    yield "stray", "}" * (MIB - 10) + "\n", "1"
    yield "commas", "field r = [" + "," * (MIB - 20) + "]\n", "1"
    yield "zeros", "\0" * (MIB - 10), "1"
    yield "bytes", "\u00ff" * (MIB // 2 - 10), "1"
    yield "quotes", '"' * (MIB - 10), "1"
    yield "lines", "\n" * (MIB - 20) + "field r = 1\n", "r"
    yield "loop", "fn f() int {\n  var n = 0\n  each i in 0 ..< 9_000_000_000 { n += i % 7 }\n  n\n}\n", "f()"
    yield "loop_of_loops", "fn f() int {\n  var n = 0\n" + "".join("each i%d in 0 ..< 1000 {\n" % i for i in range(20)) + "n += 1" + "}" * 20 + "\n  n\n}\n", "f()"
