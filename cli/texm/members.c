#include "cli/texm/members.h"

#include "cli/files.h"
#include "core/bytes.h"
#include "formats/archive/nres_names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The member has its name where that leads back to it, else its index. */
static int VisitMember(const char *file, const RpNRes *archive, uint32_t index, MemberVisit *visit,
                       void *context) {
    const RpNResEntry entry = RpNRes_Entry(archive, index);
    Member member = {
        .data = entry.data, .size = entry.size, .attr1 = entry.attr1, .attr2 = entry.attr2};
    char name[ARCHIVE_NAME_BYTES], shown[ARCHIVE_SHOWN_BYTES];
    ArchiveName_ToUtf8(entry.name, name);
    ArchiveName_Show(entry.name, shown);
    if (strcmp(name, shown) == 0 && !strstr(name, "::") &&
        ModelSource_FindMember(archive, name, strlen(name)) == (int32_t)index)
        snprintf(member.name, sizeof member.name, "%.900s::%s", file, name);
    else
        snprintf(member.name, sizeof member.name, "%.900s::#%" PRIu32, file, index);
    return visit(context, &member);
}

/* What follows the last :: is the member. */
static int VisitArgument(const char *argument, uint32_t type, uint32_t magic, const char *what,
                         MemberVisit *visit, void *context) {
    char file[MODEL_SOURCE_NAME_BYTES];
    const char *member = NULL;
    for (const char *at = strstr(argument, "::"); at; at = strstr(at + 2, "::"))
        member = at + 2;
    snprintf(file, sizeof file, "%.*s",
             member ? (int)(member - 2 - argument) : (int)strlen(argument), argument);
    ModelSource source;
    RpError error;
    const RpStatus status = ModelSource_Open(&source, file, &error);
    int code = CLI_EQUAL;
    if (!member && magic && source.bytes && source.size >= 4 && Bytes_U32(source.bytes) == magic) {
        Member whole = {.data = source.bytes, .size = source.size};
        memcpy(whole.name, source.name, sizeof whole.name);
        code = visit(context, &whole);
    } else if (status != RP_OK) {
        code = Cli_Fail(&error);
    } else if (member) {
        const int32_t index = ModelSource_FindMember(&source.archive, member, strlen(member));
        if (index < 0)
            code = Cli_Complain("%s has no member %s", file, member);
        else if (RpNRes_Entry(&source.archive, (uint32_t)index).type != type)
            code = Cli_Complain("%s is no %s", argument, what);
        else
            code = VisitMember(file, &source.archive, (uint32_t)index, visit, context);
    } else {
        uint32_t count = 0;
        for (uint32_t i = 0; i < source.archive.count; i++) {
            if (RpNRes_Entry(&source.archive, i).type != type)
                continue;
            const int one = VisitMember(file, &source.archive, i, visit, context);
            code = code ? code : one;
            count++;
        }
        if (count == 0)
            code = Cli_Complain("there is no %s in %s", what, file);
    }
    ModelSource_Close(&source);
    return code;
}

int CliMembers_Each(const Cli *cli, uint32_t type, uint32_t magic, const char *what,
                    MemberVisit *visit, void *context) {
    int code = CLI_EQUAL;
    if (cli->argument_count == 0)
        return Cli_Complain("%s needs a file", cli->verb->name);
    for (size_t i = 0; i < cli->argument_count; i++) {
        const int one = VisitArgument(cli->arguments[i], type, magic, what, visit, context);
        code = code ? code : one;
    }
    return code;
}
