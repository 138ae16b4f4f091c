#include "dll/ngi32/mapped.h"

#include "core/text.h"

RpStatus Mapped_Refused(RpError *error, const char *what, const char *path) {
    char found[32];
    Text text = Text_Begin(found, sizeof found);
    Text_Append(&text, "error ");
    Text_AppendDecimal(&text, GetLastError());
    return RpError_Set(error, RP_IO, RP_NOWHERE, what, path, "", found);
}

RpStatus Mapped_View(HANDLE file, const char *path, bool writable, Mapped *mapped, RpError *error) {
    Mapped result = {0};

    RpStatus status;
    LARGE_INTEGER length;
    if (!GetFileSizeEx(file, &length))
        return Mapped_Refused(error, "the file has no size", path);
    if (length.QuadPart == 0)
        return RpError_Set(error, RP_TRUNCATED, 0, "the file is empty", path, "", "");
    if (length.HighPart != 0)
        return RpError_Set(error, RP_UNSUPPORTED, RP_NOWHERE, "the file is too large", path,
                           "less than 4 GB", "");
    result.size = length.LowPart;

    result.mapping =
        CreateFileMappingA(file, NULL, writable ? PAGE_READWRITE : PAGE_READONLY, 0, 0, NULL);
    if (result.mapping)
        result.view =
            MapViewOfFile(result.mapping, writable ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, 0);
    if (!result.view) {
        status = Mapped_Refused(error, "the file cannot be mapped", path);
        Mapped_Close(&result);
        return status;
    }
    *mapped = result;
    return RP_OK;
}

RpStatus Mapped_Open(const char *path, bool writable, DWORD hint, Mapped *mapped, RpError *error) {
    HANDLE file =
        CreateFileA(path, writable ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ, FILE_SHARE_READ,
                    NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL | hint, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return Mapped_Refused(error, "the file cannot be opened", path);
    RpStatus status = Mapped_View(file, path, writable, mapped, error);
    if (status)
        CloseHandle(file);
    else
        mapped->file = file;
    return status;
}

void Mapped_CloseHandles(Mapped *mapped) {
    if (mapped->mapping)
        CloseHandle(mapped->mapping);
    if (mapped->file)
        CloseHandle(mapped->file);
    mapped->mapping = mapped->file = NULL;
}

void Mapped_Close(Mapped *mapped) {
    if (mapped->view)
        UnmapViewOfFile(mapped->view);
    mapped->view = NULL;
    Mapped_CloseHandles(mapped);
}
