/* Pairs of the game's 32-bit DLLs, Ngi32.dll and AniMesh.dll, run in a machine inside of WebAssembly: called,
 * run over traces, and compared. What a DLL does ends as the outcome of a call and reaches nothing else.
 *
 *     import { loadMachine } from 'retropose/machine';
 *     const machine = await loadMachine();
 *     const pair = machine.openPair(ngi32, animesh);        // the bytes of the two files
 *     const executed = pair.run(trace, (done, total) => {}); // a trace with their results
 *
 * A call takes as long as it takes, so a page does this in a worker. x87 and SSE are computed in software.
 * Everything that fails throws RetroposeError. What is opened keeps memory until close(). */
import { Bytes, RetroposeError } from './retropose.js';
export { RetroposeError };

/** The module beside this file, or the one that `source` is, names or compiles to. */
export function loadMachine(source?: string | URL | Bytes | WebAssembly.Module): Promise<Machine>;
/** The same at once, of bytes or a compiled module. */
export function instantiateMachine(source: Bytes | WebAssembly.Module): Machine;

export interface Machine {
    /** A trap has ended this instance; every call throws from then on. */
    readonly crashed: boolean;
    /** Loads a pair and runs its entry points. Throws `truncated`, `corrupt` or `unsupported`, with the name of
     *  the file, for what is no DLL for 32-bit Windows, and `crashed` where an entry point crashes. */
    openPair(ngi32: Bytes, animesh: Bytes, options?: PairOptions): Pair;
    /** An empty comparison, which keeps so many differences in detail beside the first of each function. */
    compare(mostDifferences?: number): Comparison;
    /** Reads functions of two pairs, which stay open, as formulas. */
    formulas(original: Pair, replacement: Pair): Formulas;
}

export interface PairOptions {
    /** Which processor the pair finds: 'pentium-mmx', 'k6-2', 'pentium3', 'athlon' or 'pentium4', which is the
     *  default. */
    processor?: string;
    /** ForceCpu in the registry; -1: there is none. */
    forceCpu?: number;
    /** Of one call: 4,000,000,000, which takes minutes. */
    mostInstructions?: number;
    /** Bytes of the pair: 512 MiB. */
    mostMemory?: number;
    /** Also calls those functions that could write anywhere in the pair's memory when a stranger's trace calls
     *  them. */
    trust?: boolean;
    /** Notes which code the calls of run() reach, for coverage(). */
    coverage?: boolean;
}

export interface Pair {
    /** 'original', 'stand-in', 'modified stand-in', 'replacement' or 'mixed'. */
    readonly kind: string;
    readonly description: string;
    readonly sha256: Readonly<Record<'Ngi32.dll' | 'AniMesh.dll', string>>;
    readonly engine: string;
    readonly processor: string;
    /** Ngi32.dll is the build whose SHA-256 is published. */
    readonly isPublished: boolean;
    readonly isSoftware: boolean;
    /** The address of an export, or null. */
    export(module: 'ngi32' | 'animesh', name: string): number | null;
    /** The address in an entry of g_FastProc, 0 to 67, or null. */
    slot(slot: number): number | null;
    /** The address of zeroed memory of the pair's, or null where none is left. */
    allocate(size: number): number | null;
    read(address: number, size: number): Uint8Array;
    write(address: number, bytes: Bytes): void;
    /** Calls a function. `words` are dwords for the stack, the first argument first, a float as its bits. */
    call(address: number, words?: readonly number[],
         state?: { ecx?: number; edx?: number; controlWord?: number; mxcsr?: number }): PairCall;
    /** Brings the pair back to just after its loading. */
    restore(): void;
    /** Executes all calls of a trace in a freshly loaded pair and gives the trace with their results. `progress`
     *  is called from time to time; false ends the run, and what it throws is thrown. */
    run(trace: Bytes, progress?: (done: number, total: number) => boolean | void): Uint8Array;
    /** Why a call of a function was unsupported or timed out in the last run; '' where nothing is known. */
    reason(key: string): string;
    /** What all calls of run() have reached of a function, or of all of them together: basic blocks, and sides
     *  of conditional branches. Throws `invalid` for a pair that was opened without `coverage`. */
    coverage(key?: string): { blocks: number; blocksReached: number; sides: number; sidesReached: number };
    close(): void;
    readonly closed: boolean;
}

export interface PairCall {
    outcome: 'returned' | 'crashed' | 'exited' | 'timed out' | 'unsupported';
    eax: number;
    edx: number;
    /** The ten bytes of ST0, the lowest first, where the function returned a float. */
    st0: Uint8Array | null;
    controlWord: number;
    mxcsr: number;
    /** Bytes of arguments that the function took off the stack. */
    popped: number;
    /** Of a crash: the code, the file and the offset in it; an address where `module` is null. */
    exception: number;
    module: string | null;
    offset: number;
    exitCode: number;
    reason: string;
}

/** include/retropose/machine.h says what each is. */
export interface ComparisonCounts {
    compared: number;
    different: number;
    processor: number;
    crashed: number;
    failedAlike: number;
    wroteOutside: number;
    notComparable: number;
    notCalled: number;
    unsupported: number;
}

export interface ComparedFunction {
    key: string;
    name: string;
    /** 'equal', 'DIFFERENT', 'CRASHED', 'not compared' and so on. */
    standing: string;
    counts: ComparisonCounts;
    /** The first one: both values as the digits of their bits with the number, or in words. */
    difference: { trace: string; sequence: number; field: string; a: string; b: string } | null;
}

/** Whether a function computes the same in both pairs, by its instructions and not by calls of it. Everything
 *  holds for a Pentium II under the game's control word, and for the default readings. */
export interface Formulas {
    /** Which builds of g_FastProc are read: 'generic', or 'class' where their addresses are not known in a pair. */
    readonly builds: string;
    /** Takes milliseconds to minutes. */
    compare(key: string): FormulaVerdict;
    close(): void;
    readonly closed: boolean;
}

export interface FormulaVerdict {
    /** 'same': the same formula, and therefore the same bits, for every input. 'same on paths': so on all paths
     *  through the code that were seen, while others are open. 'not read': no input of it can be made, or a pair
     *  does not have it. */
    verdict: 'same' | 'same on paths' | 'differs' | 'cannot say' | 'not read';
    /** The words name what it does not hold for. */
    hasExceptions: boolean;
    /** What `retropose same` prints of the function, or why it was not read. */
    words: string;
}

export interface Comparison {
    /** Compares two executed traces of the same calls, of which `a` is the original's. */
    add(a: Bytes, b: Bytes, name?: string): void;
    read(): { totals: ComparisonCounts; functions: ComparedFunction[] };
    /** The report that `retropose replay --json` writes. */
    json(): string;
    close(): void;
    readonly closed: boolean;
}
