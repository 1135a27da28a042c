"""What an animated PNG holds, chunk by chunk, each looked at for its sum: names with counts, then the numbers of those that are numbered."""
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
at, names, numbers = 8, [], []
while at < len(data):
    (size,) = struct.unpack(">I", data[at : at + 4])
    name, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
    assert zlib.crc32(name + body) == struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0], name
    names.append(name.decode())
    if name in (b"fcTL", b"fdAT"):
        numbers.append(struct.unpack(">I", body[:4])[0])
    if name == b"acTL":
        print("frames and rounds", struct.unpack(">II", body))
    if name == b"fcTL":
        print("shown for", struct.unpack(">HH", body[20:24]))
    at += 12 + size
print(" ".join(name for name in names if name not in ("gAMA", "sRGB", "cHRM")))
print("in order" if numbers == list(range(len(numbers))) else numbers)
