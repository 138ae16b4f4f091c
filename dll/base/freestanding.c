/* The functions of <string.h> that the compiler and the libraries call. Those that copy and compare
 * run in every recorded call, so they are fast. The others, whose speed does not matter, go byte by
 * byte. */
#include <stdint.h>
#include <string.h>

/* From this many bytes on, the processor's own loops are faster; they take some time to begin. */
enum { LONG_BYTES = 160 };

/* A word at any address, whatever the type of the object there. */
typedef uint32_t __attribute__((may_alias, aligned(1))) Word;

static void CopyShort(char *to, const char *from, size_t size) {
    for (; size >= sizeof(Word); size -= sizeof(Word), to += sizeof(Word), from += sizeof(Word))
        *(Word *)to = *(const Word *)from;
    for (; size > 0; size--)
        *to++ = *from++;
}

static void CopyForwards(char *to, const char *from, size_t size) {
    if (size < LONG_BYTES)
        CopyShort(to, from, size);
    else
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    CopyForwards(to, from, size);
    return to;
}

/* Goes word by word, because the processor's own loop is many times slower backwards. */
static void MoveBackwards(char *to, const char *from, size_t size) {
    for (; size >= sizeof(Word); size -= sizeof(Word))
        *(Word *)(to + size - sizeof(Word)) = *(const Word *)(from + size - sizeof(Word));
    for (; size > 0; size--)
        to[size - 1] = from[size - 1];
}

void *memmove(void *to, const void *from, size_t size) {
    if ((size_t)((char *)to - (const char *)from) >= size)
        CopyForwards(to, from, size);
    else
        MoveBackwards(to, from, size);
    return to;
}

static void SetShort(char *to, uint32_t byte, size_t size) {
    for (; size >= sizeof(Word); size -= sizeof(Word), to += sizeof(Word))
        *(Word *)to = byte * 0x01010101u;
    for (; size > 0; size--)
        *to++ = (char)byte;
}

void *memset(void *to, int byte, size_t size) {
    void *start = to;
    if (size < LONG_BYTES)
        SetShort(to, (unsigned char)byte, size);
    else
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
    return start;
}

int memcmp(const void *a, const void *b, size_t size) {
    const unsigned char *left = a, *right = b;
    for (; size >= sizeof(Word) && *(const Word *)left == *(const Word *)right;
         size -= sizeof(Word)) {
        left += sizeof(Word);
        right += sizeof(Word);
    }
    for (size_t i = 0; i < size; i++)
        if (left[i] != right[i])
            return left[i] - right[i];
    return 0;
}

void *memchr(const void *memory, int byte, size_t size) {
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == (unsigned char)byte)
            return (void *)(uintptr_t)&bytes[i];
    return NULL;
}

int strncmp(const char *a, const char *b, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i] || !a[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

int strcmp(const char *a, const char *b) {
    return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *string, int c) {
    for (; *string != (char)c; string++)
        if (!*string)
            return NULL;
    return (char *)(uintptr_t)string;
}

size_t strlen(const char *string) {
    size_t length = 0;
    while (string[length])
        length++;
    return length;
}

size_t strcspn(const char *string, const char *ends) {
    size_t length = 0;
    for (; string[length]; length++)
        for (const char *end = ends; *end; end++)
            if (string[length] == *end)
                return length;
    return length;
}
