#include "core/bytes.h"
#include "machine/machine_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRANULARITY      0x10000u
#define MOST_IMAGE       0x40000000u
#define MOST_LACKING     4096u /* limit for the imports of one module that do not exist */
#define MOST_FORWARDS    8u
#define MOST_CALLBACKS   256u
#define MOST_TLS         1024u /* modules with TLS; the page of their pointers is then full */
#define MOST_TLS_BYTES   0x01000000u
#define TLS_DIRECTORY    24u
#define RELOCATION_BYTES 8u /* the header of a block */
#define ATTACH           1u

typedef struct Load {
    Machine *machine;
    Module *module;
    const PeFile *pe;
    const char *name;
    RpError *error;
    uint32_t base, size;
    uint8_t *image;  /* the host's pointer to the guest's `base` */
    uint64_t budget; /* instructions that the entry points may still execute */
    uint32_t lacking;
} Load;

static RpStatus Fail(const Load *load, RpStatus status, const char *what, const char *expected,
                     uint32_t found) {
    char text[16];
    snprintf(text, sizeof text, "0x%X", found);
    return RpError_Set(load->error, status, RP_NOWHERE, what, load->name, expected, text);
}

static RpStatus NoMemory(const Load *load) {
    return RpError_Set(load->error, RP_NO_MEMORY, RP_NOWHERE, "no memory for a guest's module",
                       load->name, "", "");
}

static uint32_t PageUp(uint32_t size) {
    return (size + MACHINE_PAGE - 1) / MACHINE_PAGE * MACHINE_PAGE;
}

/* ---- names ----------------------------------------------------------------------------------- */

static char Lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns the length of a name without ".dll". */
static size_t NameLength(const char *name) {
    static const char extension[] = ".dll";
    size_t length = strlen(name);
    if (length <= 4)
        return length;
    for (size_t i = 0; i < 4; i++)
        if (Lower(name[length - 4 + i]) != extension[i])
            return length;
    return length - 4;
}

static const Module *FindModule(const Machine *machine, const char *name) {
    /* Names are compared ignoring case and a ".dll" at the end. */
    const size_t length = NameLength(name);
    for (uint32_t i = 0; i < machine->module_count; i++) {
        const char *other = machine->modules[i]->visible.name;
        size_t same = 0;
        while (same < length && Lower(other[same]) == Lower(name[same]))
            same++;
        if (same == length && NameLength(other) == length)
            return machine->modules[i];
    }
    return NULL;
}

/* ---- exports --------------------------------------------------------------------------------- */

static int CompareNames(const void *left, const void *right) {
    return strcmp((*(const PeExport *const *)left)->name, (*(const PeExport *const *)right)->name);
}

static int CompareOrdinals(const void *left, const void *right) {
    uint32_t a = (*(const PeExport *const *)left)->ordinal;
    uint32_t b = (*(const PeExport *const *)right)->ordinal;
    return (a > b) - (a < b);
}

static RpStatus IndexExports(const Load *load) {
    Module *module = load->module;
    const PeFile *pe = load->pe;
    module->by_name = malloc((pe->export_count + 1) * sizeof(void *));
    module->by_ordinal = malloc((pe->export_count + 1) * sizeof(void *));
    if (!module->by_name || !module->by_ordinal)
        return NoMemory(load);
    for (size_t i = 0; i < pe->export_count; i++) {
        module->by_ordinal[i] = &pe->exports[i];
        if (pe->exports[i].name)
            module->by_name[module->name_count++] = &pe->exports[i];
    }
    qsort(module->by_name, module->name_count, sizeof(void *), CompareNames);
    qsort(module->by_ordinal, pe->export_count, sizeof(void *), CompareOrdinals);
    return RP_OK;
}

/* Returns the address of a name or, if it is null, of an ordinal. Forwarders are followed. */
static uint32_t Resolve(Machine *machine, const char *module_name, const char *name,
                        uint32_t ordinal) {
    char part[256], symbol[256];
    for (uint32_t forwards = 0; forwards < MOST_FORWARDS; forwards++) {
        const Module *module = FindModule(machine, module_name);
        if (!module)
            return name ? Machine_SystemAddress(machine, module_name, name) : 0;

        const PeExport wanted = {.name = name, .ordinal = ordinal}, *key = &wanted;
        const PeExport *const *found =
            name ? bsearch(&key, module->by_name, module->name_count, sizeof(void *), CompareNames)
                 : bsearch(&key, module->by_ordinal, module->pe.export_count, sizeof(void *),
                           CompareOrdinals);
        const PeExport *export = found ? *found : NULL;

        if (!export || export->rva == 0 || export->rva >= module->visible.size)
            return 0;
        if (!export->forwarder)
            return module->visible.base + export->rva;
        /* The forwarder is "MODULE.Name" or "MODULE.#7". The module's own name may contain dots. */
        const char *dot = strrchr(export->forwarder, '.');
        if (!dot || dot == export->forwarder || (size_t)(dot - export->forwarder) >= sizeof part ||
            strlen(dot + 1) >= sizeof symbol)
            return 0;
        memcpy(part, export->forwarder, (size_t)(dot - export->forwarder));
        part[dot - export->forwarder] = 0;
        memcpy(symbol, dot + 1, strlen(dot + 1) + 1);
        module_name = part;
        name = symbol[0] == '#' ? NULL : symbol;
        ordinal = symbol[0] == '#' ? (uint32_t)strtoul(symbol + 1, NULL, 10) : 0;
    }
    return 0;
}

uint32_t Machine_Export(Machine *machine, uint32_t module, const char *name) {
    const MachineModule *found = Machine_Module(machine, module);
    return found ? Resolve(machine, found->name, name, 0) : 0;
}

uint32_t Machine_Ordinal(Machine *machine, uint32_t module, uint32_t ordinal) {
    const MachineModule *found = Machine_Module(machine, module);
    return found ? Resolve(machine, found->name, NULL, ordinal) : 0;
}

/* ---- the image ------------------------------------------------------------------------------- */

static uint32_t SizeOf(const PeSection *section) {
    return section->virtual_size ? section->virtual_size : section->file_size;
}

/* Checks that sections follow one another. If they lie closer together than pages, the whole image
 * can be read, written and executed. */
static RpStatus CheckSections(Load *load) {
    const PeFile *pe = load->pe;
    const bool is_dense = pe->section_alignment < MACHINE_PAGE;
    if (!(pe->characteristics & PE_FILE_DLL))
        return Fail(load, RP_UNSUPPORTED, "the file is no DLL", "characteristics with 0x2000",
                    pe->characteristics);
    if (pe->image_size == 0 || pe->image_size > MOST_IMAGE || pe->headers_size > pe->image_size)
        return Fail(load, RP_CORRUPT, "the size of the image makes no sense",
                    "the headers' size up to 1 GiB", pe->image_size);
    load->size = PageUp(pe->image_size);
    if (pe->entry_rva >= load->size)
        return Fail(load, RP_CORRUPT, "the entry point is outside the image",
                    "an address inside the image", pe->entry_rva);
    uint32_t end = is_dense ? 0 : pe->headers_size;
    for (size_t i = 0; i < pe->section_count; i++) {
        const PeSection *section = &pe->sections[i];
        uint32_t size = SizeOf(section);
        if (size == 0)
            continue;
        if (section->rva < end || section->rva > load->size || size > load->size - section->rva ||
            (!is_dense && section->rva % MACHINE_PAGE))
            return Fail(load, RP_CORRUPT, "a section overlaps another one or leaves the image",
                        "sections in ascending order, inside the image", section->rva);
        end = section->rva + (is_dense ? size : PageUp(size));
    }
    return RP_OK;
}

static RpStatus Place(Load *load) {
    const PeFile *pe = load->pe;
    MachineMemory *memory = load->machine->memory;
    const uint32_t both = MACHINE_READ | MACHINE_WRITE, wanted = pe->image_base;
    if (wanted >= GRANULARITY && wanted % GRANULARITY == 0 && wanted < MACHINE_HIGHEST &&
        load->size <= MACHINE_HIGHEST - wanted)
        load->base = MachineMemory_Map(memory, wanted, load->size, both);
    if (load->base == 0 && (pe->characteristics & PE_FILE_NOT_RELOCATABLE))
        return Fail(load, RP_UNSUPPORTED,
                    "the module's addresses are in use, and it cannot be relocated",
                    "free addresses", wanted);
    if (load->base == 0) {
        uint32_t found = MachineMemory_Find(memory, load->size, GRANULARITY);
        load->base = found ? MachineMemory_Map(memory, found, load->size, both) : 0;
    }
    if (load->base == 0)
        return NoMemory(load);
    load->image = MachineMemory_At(memory, load->base);
    load->module->visible.base = load->base;
    load->module->visible.size = load->size;
    return RP_OK;
}

/* Copies the sections. Windows maps whole pages, so a section's bytes count up to the end of its
 * last page, and bytes beyond that do not. */
static void Fill(const Load *load) {
    const PeFile *pe = load->pe;
    uint32_t headers = pe->headers_size;
    if (headers > pe->size)
        headers = (uint32_t)pe->size;
    memcpy(load->image, pe->bytes, headers);
    for (size_t i = 0; i < pe->section_count; i++) {
        const PeSection *section = &pe->sections[i];
        uint32_t size = SizeOf(section);
        if (pe->section_alignment >= MACHINE_PAGE)
            size = PageUp(size);
        size = section->file_size < size ? section->file_size : size;
        if (size > 0) {
            MachineMemory_Populate(load->machine->memory, load->base + section->rva, size);
            memcpy(load->image + section->rva, pe->bytes + section->file_offset, size);
        }
    }
}

/* Applies all blocks. Only the directory's size says where they end; zeros before that are
 * padding. */
static RpStatus Relocate(const Load *load) {
    const PeFile *pe = load->pe;
    const uint32_t end = pe->relocations_rva ? pe->relocations_size : 0;
    const uint32_t delta = load->base - pe->image_base;
    if (delta == 0)
        return RP_OK;
    for (uint32_t at = 0, bytes; end >= RELOCATION_BYTES && at <= end - RELOCATION_BYTES;
         at += bytes) {
        if (at > UINT32_MAX - pe->relocations_rva)
            return Fail(load, RP_CORRUPT, "the relocations leave the image", "", at);
        const uint8_t *block = Pe_At(pe, pe->relocations_rva + at, RELOCATION_BYTES);
        bytes = block ? Bytes_U32(block + 4) : 0;
        if (block && bytes == 0 && Bytes_U32(block) == 0)
            return RP_OK;
        if (bytes < RELOCATION_BYTES || bytes > end - at ||
            !Pe_At(pe, pe->relocations_rva + at, bytes))
            return Fail(load, RP_CORRUPT, "a block of relocations has an impossible size",
                        "8 bytes up to the directory's end", bytes);

        /* The kinds of entries are 1 to 3 (high word, low word, dword), and 0 for padding. */
        for (uint32_t i = RELOCATION_BYTES; i + 2 <= bytes; i += 2) {
            uint32_t entry = Bytes_U16(block + i), kind = entry >> 12;
            uint64_t rva = (uint64_t)Bytes_U32(block) + (entry & 0xFFF);
            uint32_t width = kind == 3 ? 4 : 2;
            if (kind == 0)
                continue;
            if (kind > 3)
                return Fail(load, RP_UNSUPPORTED, "a relocation is of an unknown kind", "0 to 3",
                            kind);
            if (rva + width > load->size)
                return Fail(load, RP_CORRUPT, "a relocation is outside the image",
                            "an address inside the image", (uint32_t)rva);
            uint8_t *place = load->image + rva;
            if (kind == 1)
                Bytes_PutU16(place, (((uint32_t)Bytes_U16(place) << 16) + delta) >> 16);
            else if (kind == 2)
                Bytes_PutU16(place, Bytes_U16(place) + delta);
            else
                Bytes_PutU32(place, Bytes_U32(place) + delta);
        }
    }
    return RP_OK;
}

static RpStatus Bind(Load *load) {
    const PeFile *pe = load->pe;
    Machine *machine = load->machine;
    for (size_t i = 0; i < pe->import_count; i++) {
        const PeImport *import = &pe->imports[i];
        if (import->iat_rva > load->size - 4)
            return Fail(load, RP_CORRUPT, "an import's place is outside the image",
                        "an address inside the image", import->iat_rva);
        uint32_t address = Resolve(machine, import->module, import->name, import->ordinal);
        if (address == 0) {
            char text[200], ordinal[16];
            int length = (int)NameLength(import->module);
            snprintf(ordinal, sizeof ordinal, "#%u", import->ordinal);
            snprintf(text, sizeof text, "%.*s.%.100s: not there", length < 60 ? length : 60,
                     import->module, import->name ? import->name : ordinal);
            const Gate gate = {0};
            address = load->lacking++ < MOST_LACKING ? Machine_AddGate(machine, &gate, text) : 0;
        }
        if (address == 0)
            return Fail(load, RP_UNSUPPORTED, "too many imports that nobody has", "at most 4096",
                        load->lacking);
        Bytes_PutU32(load->image + import->iat_rva, address);
    }
    return RP_OK;
}

/* Adds thread-local storage. The directory is read from the image, in which its addresses have been
 * relocated. Fields that a short directory leaves out count as zero. */
static RpStatus AddTls(Load *load, uint32_t *callbacks) {
    const PeFile *pe = load->pe;
    Machine *machine = load->machine;
    uint8_t bytes[TLS_DIRECTORY] = {0};
    *callbacks = 0;
    if (pe->tls_rva == 0)
        return RP_OK;
    uint32_t given = pe->tls_size && pe->tls_size < TLS_DIRECTORY ? pe->tls_size : TLS_DIRECTORY;
    if (pe->tls_rva >= load->size || given > load->size - pe->tls_rva)
        return Fail(load, RP_CORRUPT, "the directory of thread-local storage is outside the image",
                    "an address inside the image", pe->tls_rva);
    memcpy(bytes, load->image + pe->tls_rva, given);
    uint32_t start = Bytes_U32(bytes), size = Bytes_U32(bytes + 4) - start;
    uint32_t index = Bytes_U32(bytes + 8) - load->base, zeros = Bytes_U32(bytes + 16);
    *callbacks = Bytes_U32(bytes + 12);
    if (size > MOST_TLS_BYTES || zeros > MOST_TLS_BYTES ||
        (size && (start - load->base >= load->size || size > load->size - (start - load->base))))
        return Fail(load, RP_CORRUPT, "a template of thread-local storage is outside the image",
                    "at most 16 MiB inside the image", start);
    if (index > load->size - 4)
        return Fail(load, RP_CORRUPT, "the index of thread-local storage is outside the image",
                    "an address inside the image", index);
    if (machine->tls_count == MOST_TLS)
        return Fail(load, RP_UNSUPPORTED, "too many modules with thread-local storage",
                    "at most 1024", machine->tls_count);
    uint32_t block =
        MachineMemory_Map(machine->memory, 0, size + zeros + 8, MACHINE_READ | MACHINE_WRITE);
    if (block == 0)
        return NoMemory(load);
    load->module->tls_block = block;
    memcpy(MachineMemory_At(machine->memory, block), load->image + (size ? start - load->base : 0),
           size);
    Bytes_PutU32(load->image + index, machine->tls_count);
    if (!Machine_Write32(machine, machine->tls_pointers + 4 * machine->tls_count, block))
        return NoMemory(load);
    machine->tls_count++;
    return RP_OK;
}

static RpStatus Protect(const Load *load) {
    const PeFile *pe = load->pe;
    MachineMemory *memory = load->machine->memory;
    if (pe->section_alignment < MACHINE_PAGE)
        return MachineMemory_Protect(memory, load->base, load->size,
                                     MACHINE_READ | MACHINE_WRITE | MACHINE_EXECUTE)
                   ? RP_OK
                   : NoMemory(load);
    bool done = MachineMemory_Protect(memory, load->base, load->size, 0) &&
                MachineMemory_Protect(memory, load->base, PageUp(pe->headers_size), MACHINE_READ);
    for (size_t i = 0; done && i < pe->section_count; i++) {
        const PeSection *section = &pe->sections[i];
        uint32_t protection = 0;
        if (SizeOf(section) == 0) /* the section is empty, and its address was not checked */
            continue;
        /* Processors of that time can read what they may write or execute. */
        if (section->characteristics & PE_SECTION_READABLE)
            protection |= MACHINE_READ;
        if (section->characteristics & PE_SECTION_WRITABLE)
            protection |= MACHINE_READ | MACHINE_WRITE;
        if (section->characteristics & PE_SECTION_EXECUTABLE)
            protection |= MACHINE_READ | MACHINE_EXECUTE;
        done =
            MachineMemory_Protect(memory, load->base + section->rva, SizeOf(section), protection);
    }
    return done ? RP_OK : NoMemory(load);
}

/* ---- the entry points ------------------------------------------------------------------------ */

/* Calls code with the arguments of DllMain and TLS callbacks: the module, the reason, and 0. */
static RpStatus Enter(Load *load, const char *what, uint32_t function, uint32_t *answer) {
    Machine *machine = load->machine;
    MachineContext *context = &machine->context;
    const MachineRegisters before = context->registers;
    uint32_t esp = (machine->depth ? before.general[MACHINE_ESP] : machine->stack_top) - 64;
    uint8_t arguments[12];
    Bytes_PutU32(arguments, load->base);
    Bytes_PutU32(arguments + 4, ATTACH);
    Bytes_PutU32(arguments + 8, 0);
    if (!MachineMemory_Write(machine->memory, esp, arguments, sizeof arguments, NULL))
        return NoMemory(load);
    MachineRegisters_Init(&context->registers);
    context->registers.general[MACHINE_ESP] = esp;
    MachineResult result;
    Machine_Call(machine, function, load->budget, &result);
    load->budget = context->budget;
    *answer = context->registers.general[MACHINE_EAX];
    context->registers = before;

    char found[160] = "";
    switch (result.end) {
    case MACHINE_RETURNED:
        return RP_OK;
    case MACHINE_FAULTED:
        snprintf(found, sizeof found, "exception 0x%08X at 0x%08X, address 0x%08X",
                 context->fault.code, context->fault.address, context->fault.target);
        break;
    case MACHINE_EXITED:
        snprintf(found, sizeof found, "the end of the process with code %u", result.exit_code);
        break;
    case MACHINE_TIMED_OUT:
        snprintf(found, sizeof found, "no end");
        break;
    case MACHINE_LACKS:
        snprintf(found, sizeof found, "%s", result.reason);
        break;
    }
    return RpError_Set(load->error, result.end == MACHINE_LACKS ? RP_UNSUPPORTED : RP_CRASHED,
                       RP_NOWHERE, what, load->name, "a return", found);
}

static RpStatus Start(Load *load, uint32_t callbacks) {
    Machine *machine = load->machine;
    uint32_t answer, callback;
    load->budget = machine->load_budget;
    for (uint32_t i = 0; callbacks && i < MOST_CALLBACKS; i++) {
        if (!Machine_Read32(machine, callbacks + 4 * i, &callback) || callback == 0)
            break;
        RpStatus status =
            Enter(load, "a callback for thread-local storage failed", callback, &answer);
        if (status)
            return status;
    }
    if (load->pe->entry_rva == 0)
        return RP_OK;
    RpStatus status =
        Enter(load, "the module's entry point failed", load->base + load->pe->entry_rva, &answer);
    if (!status && answer == 0)
        status =
            RpError_Set(load->error, RP_CRASHED, RP_NOWHERE,
                        "the module's entry point refused to load it", load->name, "TRUE", "FALSE");
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

void Loader_Free(Module *module) {
    if (!module)
        return;
    Pe_Close(&module->pe);
    free(module->by_name);
    free(module->by_ordinal);
    free(module);
}

/* The file's bytes are kept, because names of exports point into them. */
static RpStatus Open(Load *load, const uint8_t *bytes, size_t size) {
    Module *module = load->module;
    uint8_t *own = malloc(size ? size : 1);
    if (!own)
        return NoMemory(load);
    memcpy(own, bytes, size);
    RpStatus status = Pe_Open(own, size, load->name, &module->pe, load->error);
    if (status)
        free(own);
    else
        module->pe.owned = own;
    return status;
}

RpStatus Machine_Load(Machine *machine, const char *name, const uint8_t *bytes, size_t size,
                      uint32_t *module, RpError *error) {
    Load load = {.machine = machine, .name = name, .error = error};
    const uint32_t gates = machine->gate_count, tls = machine->tls_count;
    if (strlen(name) >= sizeof load.module->visible.name || FindModule(machine, name))
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "a module cannot have this name", name,
                           "a name of less than 64 letters that no other module has", "");
    if (machine->module_count == MACHINE_MOST_MODULES)
        return RpError_Set(error, RP_INVALID, RP_NOWHERE, "too many modules", name, "at most 256",
                           "");
    load.module = calloc(1, sizeof *load.module);
    if (!load.module)
        return NoMemory(&load);
    load.pe = &load.module->pe;
    memcpy(load.module->visible.name, name, strlen(name) + 1);

    RpStatus status = Open(&load, bytes, size);
    if (!status)
        status = CheckSections(&load);
    if (!status)
        status = IndexExports(&load);
    if (!status)
        status = Place(&load);
    if (status) {
        Loader_Free(load.module);
        return status;
    }

    /* From here on the module can be found, even by its own imports. */
    const uint32_t number = machine->module_count++;
    uint32_t callbacks = 0;
    machine->modules[number] = load.module;
    Fill(&load);
    status = Relocate(&load);
    if (!status)
        status = Bind(&load);
    if (!status)
        status = AddTls(&load, &callbacks);
    if (!status)
        status = Protect(&load);
    if (!status)
        status = Start(&load, callbacks);
    if (status) {
        if (load.module->tls_block)
            MachineMemory_Unmap(machine->memory, load.module->tls_block);
        MachineMemory_Unmap(machine->memory, load.base);
        Machine_CodeChanged(machine, load.base, load.size);
        machine->module_count = number;
        machine->tls_count = tls;
        Machine_DropGates(machine, gates);
        Loader_Free(load.module);
        return status;
    }
    *module = number;
    return RP_OK;
}
