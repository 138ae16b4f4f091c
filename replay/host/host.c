#include "replay/host/host.h"

#include "core/system.h"

#include <string.h>

RpStatus Host_Open(Host *host, const TraceHeader *header, const HostOptions *options,
                   RpError *error) {
    ProviderSlotBuild build;
    memset(host, 0, sizeof *host);
    RpStatus status = Provider_SlotBuild(header, &build, error);
    if (!status)
        status = Guest_Open(&host->guest, header, &options->guest, error);
    if (!status)
        status = Pair_Load(&host->pair, &host->guest, options->files, error);
    if (!status && options->overlay)
        status = Pair_LoadOverlay(&host->pair, options->overlay, options->overlay_size, error);
    if (!status)
        status = Pair_UseBuilds(&host->pair, build, error);
    return status ? status : Execute_Begin(&host->executor, &host->pair, error);
}

void Host_Close(Host *host) {
    Execute_End(&host->executor);
    Pair_Free(&host->pair);
    Guest_Close(&host->guest);
}

RpStatus Host_StatePair(const Host *host, TraceHeader *header, RpError *error) {
    char system[128];
    Text described = Text_Begin(system, sizeof system);
    System_Describe(&described);
    RpStatus status = TraceHeader_Set(header, "engine", Guest_Engine(&host->guest), error);
    if (!status)
        status = Provider_StateInHeader(&host->pair.provider, system, header, error);
    return status ? status : Provider_StateEstimates(Guest_Estimates(&host->guest), header, error);
}

RpStatus HostRun_Next(HostRun *run, Host *host, TraceCall *call, bool *found, RpError *error) {
    RpStatus status;
    do {
        status = TraceReader_Next(run->reader, call, found, error);
        if (!status && *found && call->sequence > run->last)
            *found = false;
        if (status || !*found)
            return status;
    } while (call->sequence < run->first);
    status = Memory_Load(&host->executor.memory, run->reader, error);
    while (!status && run->writer && run->copied < TraceReader_MemoryCount(run->reader))
        status = TraceWriter_Memory(run->writer, TraceReader_MemoryAt(run->reader, run->copied++),
                                    error);
    return status;
}
