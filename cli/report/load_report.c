#include "cli/report/load_report.h"

#include "cli/files.h"

RpStatus Report_Load(const char *path, SavedReport *report, RpError *error) {
    Mapping mapping;
    RpStatus status = Mapping_Open(path, &mapping, error);
    if (status)
        return status;
    status = SavedReport_Read(report, (const char *)mapping.bytes, mapping.size, error);
    Mapping_Close(&mapping);
    return CliFile_Locate(path, status, error);
}
