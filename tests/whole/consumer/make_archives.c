/* make_archives NAME... writes the named libraries of the synthetic corpus, such as "parts.rlb",
 * into the current folder. It uses the installed library on each system on which that is tested,
 * also where the command `retropose` is not built. */
#include <retropose/corpus.h>

#include <stdio.h>
#include <string.h>

static uint32_t FindLibrary(const char *name) {
    uint32_t index = 0;
    while (index < RpCorpus_LibraryCount() && strcmp(RpCorpus_LibraryName(index), name) != 0)
        index++;
    return index;
}

static int Write(const RpCorpus *corpus, const char *name) {
    RpError error;
    RpBuffer image;
    RpBuffer_Init(&image, NULL);
    if (RpCorpus_Library(corpus, FindLibrary(name), &image, &error) != RP_OK) {
        fprintf(stderr, "make_archives: %s\n", error.what);
        return 1;
    }
    FILE *file = fopen(name, "wb");
    int failed = !file || fwrite(image.bytes, 1, image.size, file) != image.size;
    failed |= !file || fclose(file) != 0;
    RpBuffer_Free(&image);
    if (failed)
        fprintf(stderr, "make_archives: cannot write %s\n", name);
    return failed;
}

int main(int argc, char **argv) {
    RpError error;
    RpCorpus *corpus;
    if (RpCorpus_New(NULL, NULL, &corpus, &error) != RP_OK)
        return 1;
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= Write(corpus, argv[i]);
    RpCorpus_Free(corpus);
    return failed;
}
