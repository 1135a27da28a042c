/* A build tool: embed-text OUT.c FILE... writes the files as one table of C strings,
 * `program_texts` of gpu/program.h. A text is named by its file name without the folder.
 */
#include <stdio.h>
#include <string.h>

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void write_char(FILE *out, int c) {
    if (c == '\n')
        fputs("\\n\"\n    \"", out);
    else if (c == '"' || c == '\\')
        fprintf(out, "\\%c", c);
    else
        fputc(c, out);
}

static int write_file(FILE *out, const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        return 1;
    }
    fprintf(out, "    {\"%s\",\n    \"", base_name(path));
    for (int c; (c = fgetc(in)) != EOF;)
        write_char(out, c);
    fputs("\"},\n", out);
    return fclose(in) != 0;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    FILE *out = fopen(argv[1], "wb");
    if (!out) {
        perror(argv[1]);
        return 1;
    }
    fputs("/* Written by embed-text. */\n#include \"gpu/program.h\"\n\nconst ProgramText "
          "program_texts[] = {\n",
          out);
    int failed = 0;
    for (int i = 2; i < argc; i++)
        failed |= write_file(out, argv[i]);
    fputs("    {0, 0},\n};\n", out);
    return fclose(out) != 0 || failed;
}
