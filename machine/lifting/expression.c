#include "machine/lifting/expression.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

/* What is known of an expression beside its operation. */
enum {
    HAS_UNMODELLED = 1, /* a leaf is UNMODELLED, or a bit of STATUS that is not modelled is read */
    HAS_COMPARISON = 2, /* a COMPARE_X87 or COMPARE_SSE is in it */
    HAS_INPUT = 4,      /* its value may differ between two runs with the same regions */
    HAS_ADDRESS = 8
};

enum { BLOCK_BYTES = 1 << 18, MOST_TERMS = 64, MOST_VISITED = 8 * MOST_TERMS };

/* `bits` bits of an expression from bit `lowest` on. */
typedef struct Part {
    const Expression *of, *made; /* `of` is null in an entry that is not used */
    uint32_t lowest, bits;
} Part;

typedef struct Block {
    struct Block *before;
    size_t used;
    _Alignas(16) uint8_t bytes[];
} Block;

struct ExpressionGraph {
    Block *block;
    const Expression **all; /* by id */
    uint8_t *facts;         /* by id: HAS_... */
    uint32_t count, capacity;
    const Expression **table; /* open addressing; the size is a power of two */
    uint32_t table_size;
    Part *parts; /* those that were made of parts of operands; like the table */
    uint32_t part_count, parts_size;
    char **names; /* by number - 1 */
    uint32_t name_count, name_capacity;
    bool failed;
    const Expression *none; /* what makers return when memory is short */
};

static const char *const names[] = {
#define EXPRESSION_NAME(operation, name, operands) name,
    EXPRESSION_OPERATIONS(EXPRESSION_NAME)
#undef EXPRESSION_NAME
};

static const char *const symbols[] = {
#define EXPRESSION_SYMBOL(operation, name, operands) #operation,
    EXPRESSION_OPERATIONS(EXPRESSION_SYMBOL)
#undef EXPRESSION_SYMBOL
};

const char *ExpressionOperation_Name(ExpressionOperation operation) {
    return names[operation];
}

const char *ExpressionOperation_Symbol(ExpressionOperation operation) {
    return symbols[operation];
}

/* ---- the graph ------------------------------------------------------------------------------- */

ExpressionGraph *ExpressionGraph_Create(void) {
    ExpressionGraph *graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    graph->table_size = 1 << 12;
    graph->table = calloc(graph->table_size, sizeof *graph->table);
    if (!graph->table) {
        free(graph);
        return NULL;
    }
    graph->none = Expression_Unmodelled(graph, "memory is short", 32);
    if (graph->failed) {
        ExpressionGraph_Destroy(graph);
        return NULL;
    }
    return graph;
}

void ExpressionGraph_Destroy(ExpressionGraph *graph) {
    if (!graph)
        return;
    while (graph->block) {
        Block *before = graph->block->before;
        free(graph->block);
        graph->block = before;
    }
    for (uint32_t i = 0; i < graph->name_count; i++)
        free(graph->names[i]);
    free(graph->names);
    free(graph->all);
    free(graph->facts);
    free(graph->table);
    free(graph->parts);
    free(graph);
}

bool ExpressionGraph_HasFailed(const ExpressionGraph *graph) {
    return graph->failed;
}

uint32_t ExpressionGraph_Name(ExpressionGraph *graph, const char *name) {
    for (uint32_t i = 0; i < graph->name_count; i++)
        if (strcmp(graph->names[i], name) == 0)
            return i + 1;
    if (graph->name_count == graph->name_capacity) {
        const uint32_t capacity = graph->name_capacity ? 2 * graph->name_capacity : 32;
        char **grown = realloc(graph->names, capacity * sizeof *grown);
        if (!grown) {
            graph->failed = true;
            return 0;
        }
        graph->names = grown;
        graph->name_capacity = capacity;
    }
    const size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (!copy) {
        graph->failed = true;
        return 0;
    }
    memcpy(copy, name, size);
    graph->names[graph->name_count] = copy;
    return ++graph->name_count;
}

const char *ExpressionGraph_NameOf(const ExpressionGraph *graph, uint32_t number) {
    return number == 0 || number > graph->name_count ? "" : graph->names[number - 1];
}

uint32_t ExpressionGraph_Count(const ExpressionGraph *graph) {
    return graph->count;
}

const Expression *ExpressionGraph_At(const ExpressionGraph *graph, uint32_t id) {
    return graph->all[id];
}

static uint8_t FactsOf(const ExpressionGraph *graph, const Expression *expression) {
    return graph->facts[expression->id];
}

static uint32_t Hash(const Expression *key, const Expression *const *operands) {
    uint64_t hash = HASH_FNV64_BEGIN;
    hash = Hash_Fnv64Step(hash, (uint64_t)key->operation << 40 | (uint64_t)key->bits << 32 |
                                    (uint64_t)key->control << 16 | key->head);
    hash = Hash_Fnv64Step(hash, key->region);
    hash = Hash_Fnv64Step(hash, key->value);
    for (uint32_t i = 0; i < key->count; i++)
        hash = Hash_Fnv64Step(hash, operands[i]->id);
    return (uint32_t)(hash ^ hash >> 29 ^ hash >> 47);
}

static bool IsSame(const Expression *a, const Expression *key, const Expression *const *operands) {
    if (a->operation != key->operation || a->bits != key->bits || a->control != key->control ||
        a->head != key->head || a->region != key->region || a->value != key->value ||
        a->count != key->count)
        return false;
    for (uint32_t i = 0; i < key->count; i++)
        if (a->operands[i] != operands[i])
            return false;
    return true;
}

static bool Grow(ExpressionGraph *graph) {
    if (graph->count == graph->capacity) {
        const uint32_t capacity = graph->capacity ? 2 * graph->capacity : 1024;
        const Expression **all = realloc(graph->all, capacity * sizeof *all);
        if (!all)
            return false;
        graph->all = all;
        uint8_t *facts = realloc(graph->facts, capacity);
        if (!facts)
            return false;
        graph->facts = facts;
        graph->capacity = capacity;
    }
    if (graph->count < graph->table_size / 2)
        return true;
    const uint32_t size = 2 * graph->table_size;
    const Expression **table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (uint32_t i = 0; i < graph->count; i++) {
        const Expression *each = graph->all[i];
        uint32_t at = Hash(each, each->operands) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = each;
    }
    free(graph->table);
    graph->table = table;
    graph->table_size = size;
    return true;
}

/* Returns the expression with these members and operands, and makes it if there is none. */
static const Expression *Intern(ExpressionGraph *graph, const Expression *key,
                                const Expression *const *operands) {
    for (uint32_t i = 0; i < key->count; i++)
        if (operands[i] == graph->none)
            return graph->none;
    uint32_t at = Hash(key, operands) & (graph->table_size - 1);
    for (; graph->table[at]; at = (at + 1) & (graph->table_size - 1))
        if (IsSame(graph->table[at], key, operands))
            return graph->table[at];

    const size_t size = (sizeof *key + key->count * sizeof *operands + 15) & ~(size_t)15;
    if (!graph->block || BLOCK_BYTES - graph->block->used < size) {
        Block *block = malloc(sizeof *block + (size > BLOCK_BYTES ? size : BLOCK_BYTES));
        if (!block) {
            graph->failed = true;
            return graph->none;
        }
        block->before = graph->block;
        block->used = 0;
        graph->block = block;
    }
    if (!Grow(graph)) {
        graph->failed = true;
        return graph->none;
    }
    Expression *made = (Expression *)(void *)(graph->block->bytes + graph->block->used);
    graph->block->used += size;
    *made = *key;
    made->id = graph->count;
    uint8_t facts = 0;
    switch (key->operation) {
    case EXPRESSION_INPUT:
    case EXPRESSION_LOAD:
        facts = HAS_INPUT;
        break;
    case EXPRESSION_ADDRESS:
        facts = HAS_ADDRESS;
        break;
    case EXPRESSION_UNMODELLED:
    case EXPRESSION_STATUS:
        facts = HAS_UNMODELLED;
        break;
    case EXPRESSION_COMPARE_X87:
    case EXPRESSION_COMPARE_SSE:
        facts = HAS_COMPARISON;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < key->count; i++) {
        made->operands[i] = operands[i];
        facts |= graph->facts[operands[i]->id];
    }
    at = Hash(key, operands) & (graph->table_size - 1);
    while (graph->table[at])
        at = (at + 1) & (graph->table_size - 1);
    graph->table[at] = made;
    graph->all[graph->count] = made;
    graph->facts[graph->count++] = facts;
    return made;
}

static const Expression *Intern1(ExpressionGraph *graph, const Expression *key,
                                 const Expression *a) {
    Expression with = *key;
    with.count = 1;
    return Intern(graph, &with, &a);
}

static const Expression *Intern2(ExpressionGraph *graph, ExpressionOperation operation,
                                 uint32_t bits, const Expression *a, const Expression *b) {
    const Expression *const operands[2] = {a, b};
    const Expression key = {.operation = (uint8_t)operation, .bits = (uint8_t)bits, .count = 2};
    return Intern(graph, &key, operands);
}

/* ---- leaves ---------------------------------------------------------------------------------- */

static uint64_t Mask(uint32_t bits) {
    return bits >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1;
}

static int64_t Signed(uint64_t value, uint32_t bits) {
    const uint32_t unused = 64 - bits;
    return (int64_t)(value << unused) >> unused;
}

const Expression *Expression_Constant(ExpressionGraph *graph, uint32_t bits, uint64_t value) {
    const Expression key = {
        .operation = EXPRESSION_CONSTANT, .bits = (uint8_t)bits, .value = value & Mask(bits)};
    return Intern(graph, &key, NULL);
}

const Expression *Expression_Constant80(ExpressionGraph *graph, ExpressionValue value) {
    const Expression key = {
        .operation = EXPRESSION_CONSTANT, .bits = 80, .value = value.low, .head = value.head};
    return Intern(graph, &key, NULL);
}

const Expression *Expression_Input(ExpressionGraph *graph, uint32_t region, uint32_t offset,
                                   uint32_t bits) {
    const Expression key = {
        .operation = EXPRESSION_INPUT, .bits = (uint8_t)bits, .region = region, .value = offset};
    return Intern(graph, &key, NULL);
}

const Expression *Expression_Address(ExpressionGraph *graph, uint32_t region, uint32_t offset) {
    const Expression key = {
        .operation = EXPRESSION_ADDRESS, .bits = 32, .region = region, .value = offset};
    return Intern(graph, &key, NULL);
}

const Expression *Expression_Unmodelled(ExpressionGraph *graph, const char *what, uint32_t bits) {
    const Expression key = {.operation = EXPRESSION_UNMODELLED,
                            .bits = (uint8_t)bits,
                            .region = ExpressionGraph_Name(graph, what)};
    return Intern(graph, &key, NULL);
}

const Expression *Expression_Load(ExpressionGraph *graph, uint32_t region, const Expression *offset,
                                  uint32_t bits) {
    if (Expression_IsConstant(offset))
        return Expression_Input(graph, region, (uint32_t)offset->value, bits);
    const Expression key = {.operation = EXPRESSION_LOAD, .bits = (uint8_t)bits, .region = region};
    return Intern1(graph, &key, offset);
}

const Expression *Expression_Call(ExpressionGraph *graph, uint32_t function,
                                  const Expression *const *inputs, uint32_t count) {
    const Expression key = {
        .operation = EXPRESSION_CALL, .region = function, .count = (uint16_t)count};
    return Intern(graph, &key, inputs);
}

const Expression *Expression_Output(ExpressionGraph *graph, const Expression *call, uint32_t number,
                                    uint32_t bits) {
    const Expression key = {.operation = EXPRESSION_OUTPUT, .bits = (uint8_t)bits, .value = number};
    return Intern1(graph, &key, call);
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The sum of `factors[i] * terms[i]` and `constant`, modulo 2^bits. */
typedef struct Linear {
    uint32_t bits, count;
    const Expression *terms[MOST_TERMS];
    uint64_t factors[MOST_TERMS];
    uint64_t constant;
    uint32_t visited; /* expressions that were looked at */
    bool overflows;   /* there are too many terms */
} Linear;

/* Makes a sum of nothing. The lists are long, and are not filled with zeros for it. */
static void BeginSum(Linear *sum, uint32_t bits) {
    sum->bits = bits;
    sum->count = 0;
    sum->constant = 0;
    sum->visited = 0;
    sum->overflows = false;
}

static void AddTerms(Linear *sum, const Expression *expression, uint64_t factor) {
    /* Sums with too many terms are no linear forms, and may be very long. */
    sum->overflows = sum->overflows || ++sum->visited > MOST_VISITED;
    if (sum->overflows)
        return;
    switch (expression->operation) {
    case EXPRESSION_CONSTANT:
        sum->constant += factor * expression->value;
        return;
    case EXPRESSION_ADDRESS: /* the number of the byte is part of the constant */
        break;
    case EXPRESSION_ADD:
        AddTerms(sum, expression->operands[0], factor);
        AddTerms(sum, expression->operands[1], factor);
        return;
    case EXPRESSION_MUL:
        if (expression->operands[1]->operation == EXPRESSION_CONSTANT) {
            AddTerms(sum, expression->operands[0], factor * expression->operands[1]->value);
            return;
        }
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < sum->count; i++)
        if (sum->terms[i] == expression) {
            sum->factors[i] += factor;
            return;
        }
    if (sum->count == MOST_TERMS) {
        sum->overflows = true;
        return;
    }
    sum->terms[sum->count] = expression;
    sum->factors[sum->count++] = factor;
}

/* Addresses of one region differ by a constant only. So that the same sum has the same terms, an
 * address is written as the region's first byte and a constant, as long as the sum is not made. */
static void SplitAddresses(ExpressionGraph *graph, Linear *sum) {
    const uint32_t count = sum->count;
    bool any = false;
    for (uint32_t i = 0; i < count; i++)
        any = any || (sum->terms[i]->operation == EXPRESSION_ADDRESS && sum->terms[i]->value != 0);
    if (!any)
        return;
    Linear split;
    BeginSum(&split, sum->bits);
    split.constant = sum->constant;
    split.overflows = sum->overflows;
    for (uint32_t i = 0; i < count; i++) {
        const Expression *term = sum->terms[i];
        if (term->operation == EXPRESSION_ADDRESS) {
            split.constant += sum->factors[i] * term->value;
            term = Expression_Address(graph, term->region, 0);
        }
        AddTerms(&split, term, sum->factors[i]);
    }
    sum->count = split.count;
    sum->constant = split.constant;
    sum->overflows = split.overflows;
    memcpy(sum->terms, split.terms, split.count * sizeof *split.terms);
    memcpy(sum->factors, split.factors, split.count * sizeof *split.factors);
}

static const Expression *MakeSum(ExpressionGraph *graph, Linear *sum) {
    SplitAddresses(graph, sum);
    /* Sorts the terms by their ids. There are few. */
    for (uint32_t i = 1; i < sum->count; i++)
        for (uint32_t k = i; k > 0 && sum->terms[k - 1]->id > sum->terms[k]->id; k--) {
            const Expression *term = sum->terms[k];
            const uint64_t factor = sum->factors[k];
            sum->terms[k] = sum->terms[k - 1];
            sum->factors[k] = sum->factors[k - 1];
            sum->terms[k - 1] = term;
            sum->factors[k - 1] = factor;
        }
    const uint64_t mask = Mask(sum->bits);
    uint64_t constant = sum->constant & mask;
    const Expression *whole = NULL;
    uint32_t plain_addresses = 0;
    for (uint32_t i = 0; i < sum->count; i++)
        plain_addresses +=
            sum->terms[i]->operation == EXPRESSION_ADDRESS && (sum->factors[i] & mask) == 1;
    for (uint32_t i = 0; i < sum->count; i++) {
        const uint64_t factor = sum->factors[i] & mask;
        const Expression *term = sum->terms[i];
        if (factor == 0)
            continue;
        /* The constant belongs to the address, if there is one. */
        if (term->operation == EXPRESSION_ADDRESS && factor == 1 && plain_addresses == 1) {
            term = Expression_Address(graph, term->region, (uint32_t)constant);
            constant = 0;
        }
        if (factor != 1)
            term = Intern2(graph, EXPRESSION_MUL, sum->bits, term,
                           Expression_Constant(graph, sum->bits, factor));
        whole = whole ? Intern2(graph, EXPRESSION_ADD, sum->bits, whole, term) : term;
    }
    if (!whole)
        return Expression_Constant(graph, sum->bits, constant);
    if (constant != 0)
        whole = Intern2(graph, EXPRESSION_ADD, sum->bits, whole,
                        Expression_Constant(graph, sum->bits, constant));
    return whole;
}

/* Returns a * times_a + b * times_b; b may be null. */
static const Expression *Sum(ExpressionGraph *graph, const Expression *a, uint64_t times_a,
                             const Expression *b, uint64_t times_b) {
    Linear sum;
    BeginSum(&sum, a->bits);
    AddTerms(&sum, a, times_a);
    if (b)
        AddTerms(&sum, b, times_b);
    if (!sum.overflows)
        return MakeSum(graph, &sum);
    /* A sum of too many terms is taken as it comes. */
    const uint32_t bits = a->bits;
    const Expression *left = a, *right = b;
    if ((times_a & Mask(bits)) != 1)
        left = Intern2(graph, EXPRESSION_MUL, bits, a, Expression_Constant(graph, bits, times_a));
    if (b && (times_b & Mask(bits)) != 1)
        right = Intern2(graph, EXPRESSION_MUL, bits, b, Expression_Constant(graph, bits, times_b));
    return right ? Intern2(graph, EXPRESSION_ADD, bits, left, right) : left;
}

/* Whether a sum has too many terms for a linear form. */
static bool IsLongSum(const Expression *expression) {
    Linear sum;
    BeginSum(&sum, expression->bits);
    AddTerms(&sum, expression, 1);
    return sum.overflows;
}

const Expression *Expression_Subtract(ExpressionGraph *graph, const Expression *a,
                                      const Expression *b) {
    return Sum(graph, a, 1, b, ~(uint64_t)0);
}

/* ---- parts ----------------------------------------------------------------------------------- */

const Expression *Expression_Extend(ExpressionGraph *graph, ExpressionOperation operation,
                                    const Expression *operand, uint32_t bits) {
    if (operand->bits >= bits)
        return Expression_Extract(graph, operand, 0, bits);
    if (Expression_IsConstant(operand))
        return Expression_Constant(graph, bits,
                                   operation == EXPRESSION_SIGN_EXTEND
                                       ? (uint64_t)Signed(operand->value, operand->bits)
                                       : operand->value);
    /* What is extended with zeros has no sign. */
    if (operand->operation == EXPRESSION_ZERO_EXTEND || operand->operation == operation)
        return Expression_Extend(graph, (ExpressionOperation)operand->operation,
                                 operand->operands[0], bits);
    const Expression key = {.operation = (uint8_t)operation, .bits = (uint8_t)bits};
    return Intern1(graph, &key, operand);
}

/* Returns the entry of a part, or a free one. There always is one. */
static Part *PartAt(const ExpressionGraph *graph, const Expression *of, uint32_t lowest,
                    uint32_t bits) {
    uint64_t hash = Hash_Fnv64Step(HASH_FNV64_BEGIN, of->id);
    hash = Hash_Fnv64Step(hash, (uint64_t)lowest << 32 | bits);
    uint32_t at = (uint32_t)(hash ^ hash >> 29 ^ hash >> 47) & (graph->parts_size - 1);
    for (; graph->parts[at].of; at = (at + 1) & (graph->parts_size - 1))
        if (graph->parts[at].of == of && graph->parts[at].lowest == lowest &&
            graph->parts[at].bits == bits)
            break;
    return &graph->parts[at];
}

/* Returns a part of the result of an operation on the same part of both operands. Operands may be
 * shared, as in x ^ (x >> 1), so that there are far more ways through an expression than
 * expressions in it. Each part is therefore made once, and kept. */
static const Expression *ExtractFromBoth(ExpressionGraph *graph, const Expression *of,
                                         uint32_t lowest, uint32_t bits) {
    if (graph->parts) {
        const Part *known = PartAt(graph, of, lowest, bits);
        if (known->of)
            return known->made;
    }
    const Expression *made =
        Expression_Make(graph, (ExpressionOperation)of->operation, 0, 0,
                        Expression_Extract(graph, of->operands[0], lowest, bits),
                        Expression_Extract(graph, of->operands[1], lowest, bits));

    if (2 * graph->part_count >= graph->parts_size) {
        Part *old = graph->parts;
        const uint32_t old_size = graph->parts_size, size = old ? 2 * old_size : 256;
        Part *grown = calloc(size, sizeof *grown);
        if (!grown) {
            graph->failed = true;
            return graph->none;
        }
        graph->parts = grown;
        graph->parts_size = size;
        for (uint32_t i = 0; i < old_size; i++)
            if (old[i].of)
                *PartAt(graph, old[i].of, old[i].lowest, old[i].bits) = old[i];
        free(old);
    }
    Part *kept = PartAt(graph, of, lowest, bits);
    graph->part_count += kept->of ? 0 : 1;
    *kept = (Part){of, made, lowest, bits};
    return made;
}

const Expression *Expression_Extract(ExpressionGraph *graph, const Expression *operand,
                                     uint32_t lowest, uint32_t bits) {
    if (lowest == 0 && bits == operand->bits)
        return operand;
    switch (operand->operation) {
    case EXPRESSION_CONSTANT:
        if (bits > 64) /* no constant has 65 to 79 bits */
            break;
        if (lowest >= 64)
            return Expression_Constant(graph, bits, (uint64_t)operand->head >> (lowest - 64));
        return Expression_Constant(graph, bits,
                                   operand->value >> lowest |
                                       (lowest ? (uint64_t)operand->head << (64 - lowest) : 0));
    case EXPRESSION_INPUT:
        if (lowest % 8 == 0 && bits % 8 == 0)
            return Expression_Input(graph, operand->region, (uint32_t)operand->value + lowest / 8,
                                    bits);
        break;
    case EXPRESSION_LOAD:
        if (lowest % 8 == 0 && bits % 8 == 0)
            return Expression_Load(
                graph, operand->region,
                Sum(graph, operand->operands[0], 1, Expression_Constant(graph, 32, lowest / 8), 1),
                bits);
        break;
    case EXPRESSION_EXTRACT:
        return Expression_Extract(graph, operand->operands[0], (uint32_t)operand->value + lowest,
                                  bits);
    case EXPRESSION_CONCAT: {
        const uint32_t middle = operand->operands[0]->bits;
        if (lowest >= middle)
            return Expression_Extract(graph, operand->operands[1], lowest - middle, bits);
        if (lowest + bits <= middle)
            return Expression_Extract(graph, operand->operands[0], lowest, bits);
        const uint32_t low = middle - lowest;
        return Expression_Concat(graph,
                                 Expression_Extract(graph, operand->operands[0], lowest, low),
                                 Expression_Extract(graph, operand->operands[1], 0, bits - low));
    }
    case EXPRESSION_ZERO_EXTEND:
    case EXPRESSION_SIGN_EXTEND: {
        const Expression *from = operand->operands[0];
        if (lowest + bits <= from->bits)
            return Expression_Extract(graph, from, lowest, bits);
        if (lowest == 0)
            return Expression_Extend(graph, (ExpressionOperation)operand->operation, from, bits);
        if (operand->operation == EXPRESSION_ZERO_EXTEND) {
            if (lowest >= from->bits)
                return Expression_Constant(graph, bits, 0);
            return Expression_Extend(graph, EXPRESSION_ZERO_EXTEND,
                                     Expression_Extract(graph, from, lowest, from->bits - lowest),
                                     bits);
        }
        break;
    }
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_XOR:
        return ExtractFromBoth(graph, operand, lowest, bits);
    case EXPRESSION_ADD:
    case EXPRESSION_MUL:
        /* Low bits of a sum or product depend on low bits only. */
        if (lowest == 0 && !(operand->operation == EXPRESSION_ADD && IsLongSum(operand)))
            return ExtractFromBoth(graph, operand, lowest, bits);
        break;
    default:
        break;
    }
    const Expression key = {
        .operation = EXPRESSION_EXTRACT, .bits = (uint8_t)bits, .value = lowest};
    return Intern1(graph, &key, operand);
}

/* Returns low and high as one part of the same expression, or null. */
static const Expression *Join(ExpressionGraph *graph, const Expression *low,
                              const Expression *high) {
    const uint32_t bits = (uint32_t)low->bits + high->bits;
    if (low->operation == EXPRESSION_CONSTANT && high->operation == EXPRESSION_CONSTANT) {
        if (bits <= 64)
            return Expression_Constant(graph, bits, low->value | high->value << low->bits);
        if (low->bits == 64 && high->bits == 16)
            return Expression_Constant80(graph,
                                         (ExpressionValue){low->value, (uint16_t)high->value});
        return NULL;
    }
    if (low->operation == EXPRESSION_INPUT && high->operation == EXPRESSION_INPUT)
        return low->region == high->region && low->value + low->bits / 8 == high->value
                   ? Expression_Input(graph, low->region, (uint32_t)low->value, bits)
                   : NULL;
    if (low->operation == EXPRESSION_LOAD && high->operation == EXPRESSION_LOAD)
        return low->region == high->region &&
                       Sum(graph, low->operands[0], 1,
                           Expression_Constant(graph, 32, low->bits / 8), 1) == high->operands[0]
                   ? Expression_Load(graph, low->region, low->operands[0], bits)
                   : NULL;
    if (high->operation != EXPRESSION_EXTRACT)
        return NULL;
    const Expression *of = high->operands[0];
    if (low->operation == EXPRESSION_EXTRACT && low->operands[0] == of &&
        low->value + low->bits == high->value)
        return Expression_Extract(graph, of, (uint32_t)low->value, bits);
    return NULL;
}

const Expression *Expression_Concat(ExpressionGraph *graph, const Expression *low,
                                    const Expression *high) {
    const uint32_t bits = (uint32_t)low->bits + high->bits;
    const Expression *joined = Join(graph, low, high);
    if (joined)
        return joined;
    if (low->operation == EXPRESSION_CONCAT) {
        joined = Join(graph, low->operands[1], high);
        if (joined)
            return Expression_Concat(graph, low->operands[0], joined);
    }
    if (high->operation == EXPRESSION_CONCAT) /* a chain of parts leans to the left */
        return Expression_Concat(graph, Expression_Concat(graph, low, high->operands[0]),
                                 high->operands[1]);
    if (Expression_IsConstant(high) && high->value == 0 && bits <= 64)
        return Expression_Extend(graph, EXPRESSION_ZERO_EXTEND, low, bits);
    return Intern2(graph, EXPRESSION_CONCAT, bits, low, high);
}

/* ---- integers -------------------------------------------------------------------------------- */

static uint64_t Fold(ExpressionOperation operation, uint32_t bits, uint64_t a, uint64_t b) {
    switch (operation) {
    case EXPRESSION_MUL:
        return a * b;
    case EXPRESSION_AND:
        return a & b;
    case EXPRESSION_OR:
        return a | b;
    case EXPRESSION_XOR:
        return a ^ b;
    case EXPRESSION_SHL:
        return b < bits ? a << b : 0;
    case EXPRESSION_SHR:
        return b < bits ? a >> b : 0;
    case EXPRESSION_SAR:
        return (uint64_t)(Signed(a, bits) >> (b < bits ? b : bits - 1));
    case EXPRESSION_UDIV:
        return b ? a / b : 0;
    case EXPRESSION_UREM:
        return b ? a % b : 0;
    case EXPRESSION_SDIV:
    case EXPRESSION_SREM: {
        const int64_t x = Signed(a, bits), y = Signed(b, bits);
        if (y == 0)
            return 0;
        if (y == -1) /* the quotient may not fit */
            return operation == EXPRESSION_SDIV ? 0 - (uint64_t)x : 0;
        return (uint64_t)(operation == EXPRESSION_SDIV ? x / y : x % y);
    }
    default:
        return 0;
    }
}

/* Brings AND, OR and XOR into their form. */
static const Expression *MakeLogic(ExpressionGraph *graph, ExpressionOperation operation,
                                   const Expression *a, const Expression *b) {
    const uint32_t bits = a->bits;
    const uint64_t mask = Mask(bits);
    if (Expression_IsConstant(a) || (!Expression_IsConstant(b) && a->id > b->id)) {
        const Expression *first = a;
        a = b;
        b = first;
    }
    if (a == b)
        return operation == EXPRESSION_XOR ? Expression_Constant(graph, bits, 0) : a;
    if (!Expression_IsConstant(b))
        return Intern2(graph, operation, bits, a, b);
    if (Expression_IsConstant(a))
        return Expression_Constant(graph, bits, Fold(operation, bits, a->value, b->value));

    if (a->operation == operation && Expression_IsConstant(a->operands[1]))
        return MakeLogic(graph, operation, a->operands[0],
                         Expression_Constant(
                             graph, bits, Fold(operation, bits, a->operands[1]->value, b->value)));
    switch (operation) {
    case EXPRESSION_AND:
        if (b->value == 0)
            return b;
        if (b->value == mask)
            return a;
        /* A mask of low bytes is what MOVZX does. */
        if ((b->value == 0xFF || b->value == 0xFFFF || b->value == 0xFFFFFFFFu) && bits <= 64)
            return Expression_Extend(graph, EXPRESSION_ZERO_EXTEND,
                                     Expression_Extract(graph, a, 0,
                                                        b->value == 0xFF     ? 8
                                                        : b->value == 0xFFFF ? 16
                                                                             : 32),
                                     bits);
        /* A mask of 16 bits asks for nothing above them, such as the rest of EAX around FNSTSW. */
        if (bits > 16 && b->value <= 0xFFFF)
            return Expression_Extend(graph, EXPRESSION_ZERO_EXTEND,
                                     MakeLogic(graph, EXPRESSION_AND,
                                               Expression_Extract(graph, a, 0, 16),
                                               Expression_Constant(graph, 16, b->value)),
                                     bits);
        /* Of parts, a mask may leave out one, such as the flags of MXCSR. */
        if (a->operation == EXPRESSION_CONCAT) {
            const Expression *low = a->operands[0], *high = a->operands[1];
            return Expression_Concat(
                graph,
                MakeLogic(graph, operation, low, Expression_Constant(graph, low->bits, b->value)),
                MakeLogic(graph, operation, high,
                          Expression_Constant(graph, high->bits, b->value >> low->bits)));
        }
        if (a->operation == EXPRESSION_ZERO_EXTEND)
            return Expression_Extend(
                graph, EXPRESSION_ZERO_EXTEND,
                MakeLogic(graph, EXPRESSION_AND, a->operands[0],
                          Expression_Constant(graph, a->operands[0]->bits, b->value)),
                bits);
        break;
    case EXPRESSION_OR:
        if (b->value == 0)
            return a;
        if (b->value == mask)
            return b;
        break;
    default:
        if (b->value == 0)
            return a;
        if (b->value == mask) /* NOT */
            return Sum(graph, a, ~(uint64_t)0, b, 1);
        break;
    }
    return Intern2(graph, operation, bits, a, b);
}

static const Expression *MakeShift(ExpressionGraph *graph, ExpressionOperation operation,
                                   const Expression *a, const Expression *count) {
    const uint32_t bits = a->bits;
    if (!Expression_IsConstant(count))
        return Intern2(graph, operation, bits, a, count);
    const uint32_t n = (uint32_t)count->value;
    if (n == 0)
        return a;
    if (operation == EXPRESSION_SHL)
        return n < bits ? Sum(graph, a, (uint64_t)1 << n, NULL, 0)
                        : Expression_Constant(graph, bits, 0);
    if (n >= bits)
        return operation == EXPRESSION_SHR
                   ? Expression_Constant(graph, bits, 0)
                   : MakeShift(graph, operation, a, Expression_Constant(graph, 8, bits - 1));
    return Expression_Extend(
        graph, operation == EXPRESSION_SHR ? EXPRESSION_ZERO_EXTEND : EXPRESSION_SIGN_EXTEND,
        Expression_Extract(graph, a, n, bits - n), bits);
}

/* ---- all operations -------------------------------------------------------------------------- */

enum {
    X87_PRECISION = 0x0300,
    X87_ROUNDING = 0x0C00,
    SSE_ROUNDING = 0x6000,
    SSE_FLUSH = 0x8000,
    SSE_ZEROS = 0x0040
};

/* Returns the bits of the control word or of MXCSR that an operation reads. */
static uint32_t ControlOf(ExpressionOperation operation) {
    switch (operation) {
    case EXPRESSION_X87_ADD:
    case EXPRESSION_X87_SUB:
    case EXPRESSION_X87_MUL:
    case EXPRESSION_X87_DIV:
    case EXPRESSION_X87_SQRT:
        return X87_PRECISION | X87_ROUNDING;
    case EXPRESSION_X87_ROUND:
    case EXPRESSION_X87_SIN:
    case EXPRESSION_X87_COS:
    case EXPRESSION_X87_PATAN:
    case EXPRESSION_X87_F2XM1:
    case EXPRESSION_X87_YL2X:
    case EXPRESSION_X87_YL2XP1:
    case EXPRESSION_X87_SCALE:
    case EXPRESSION_X87_TO_F32:
    case EXPRESSION_X87_TO_F64:
    case EXPRESSION_X87_TO_INTEGER:
        return X87_ROUNDING;
    case EXPRESSION_SSE_ADD:
    case EXPRESSION_SSE_SUB:
    case EXPRESSION_SSE_MUL:
    case EXPRESSION_SSE_DIV:
    case EXPRESSION_SSE_SQRT:
    case EXPRESSION_SSE_CONVERT:
        return SSE_ROUNDING | SSE_FLUSH | SSE_ZEROS;
    case EXPRESSION_SSE_FROM_INTEGER:
        return SSE_ROUNDING;
    case EXPRESSION_SSE_TO_INTEGER:
        return SSE_ROUNDING | SSE_ZEROS;
    case EXPRESSION_SSE_MIN:
    case EXPRESSION_SSE_MAX:
    case EXPRESSION_SSE_MASK:
    case EXPRESSION_SSE_TRUNCATE:
    case EXPRESSION_COMPARE_SSE:
        return SSE_ZEROS;
    default:
        return 0;
    }
}

/* Returns how many bits the value of an operation has. */
static uint32_t BitsOf(ExpressionOperation operation, uint32_t bits, const Expression *a) {
    switch (operation) {
    case EXPRESSION_COMPARE_X87:
    case EXPRESSION_COMPARE_SSE:
    case EXPRESSION_EXAMINE:
        return 8;
    case EXPRESSION_STATUS:
        return 16;
    case EXPRESSION_X87_TO_F32:
    case EXPRESSION_SSE_TO_INTEGER:
    case EXPRESSION_SSE_TRUNCATE:
        return 32;
    case EXPRESSION_X87_TO_F64:
        return 64;
    case EXPRESSION_X87_TO_INTEGER:
    case EXPRESSION_SSE_CONVERT:
    case EXPRESSION_SSE_FROM_INTEGER:
        return bits;
    default:
        return operation >= EXPRESSION_X87_LOAD32 && operation <= EXPRESSION_X87_MANTISSA ? 80
                                                                                          : a->bits;
    }
}

const Expression *Expression_Make(ExpressionGraph *graph, ExpressionOperation operation,
                                  uint32_t control, uint32_t bits, const Expression *a,
                                  const Expression *b) {
    if (a == graph->none || b == graph->none)
        return graph->none;
    if (operation < EXPRESSION_ADD || operation > EXPRESSION_SREM) {
        const Expression *const operands[2] = {a, b};
        const Expression key = {.operation = (uint8_t)operation,
                                .bits = (uint8_t)BitsOf(operation, bits, a),
                                .control = (uint16_t)(control & ControlOf(operation)),
                                .count = b ? 2 : 1};
        return Intern(graph, &key, operands);
    }

    /* Operations with integers, which have as many bits as their first operand. */
    bits = a->bits;
    if (operation == EXPRESSION_ADD)
        return Sum(graph, a, 1, b, 1);
    if (Expression_IsConstant(a) && Expression_IsConstant(b))
        return Expression_Constant(graph, bits, Fold(operation, bits, a->value, b->value));
    switch (operation) {
    case EXPRESSION_MUL:
        if (Expression_IsConstant(b))
            return Sum(graph, a, b->value, NULL, 0);
        if (Expression_IsConstant(a))
            return Sum(graph, b, a->value, NULL, 0);
        return a->id <= b->id ? Intern2(graph, operation, bits, a, b)
                              : Intern2(graph, operation, bits, b, a);
    case EXPRESSION_AND:
    case EXPRESSION_OR:
    case EXPRESSION_XOR:
        return MakeLogic(graph, operation, a, b);
    case EXPRESSION_SHL:
    case EXPRESSION_SHR:
    case EXPRESSION_SAR:
        return MakeShift(graph, operation, a, b);
    default:
        return Intern2(graph, operation, bits, a, b);
    }
}

const Expression *Expression_Mask(ExpressionGraph *graph, uint32_t predicate, uint32_t control,
                                  const Expression *a, const Expression *b) {
    const Expression *const operands[2] = {a, b};
    const Expression key = {.operation = EXPRESSION_SSE_MASK,
                            .bits = a->bits,
                            .control = (uint16_t)(control & SSE_ZEROS),
                            .value = predicate,
                            .count = 2};
    return Intern(graph, &key, operands);
}

const Expression *Expression_WithOperands(ExpressionGraph *graph, const Expression *of,
                                          const Expression *const *operands) {
    bool same = true;
    for (uint32_t i = 0; i < of->count; i++)
        same = same && operands[i] == of->operands[i];
    if (same)
        return of;
    switch (of->operation) {
    case EXPRESSION_LOAD:
        return Expression_Load(graph, of->region, operands[0], of->bits);
    case EXPRESSION_CALL:
        return Expression_Call(graph, of->region, operands, of->count);
    case EXPRESSION_OUTPUT:
        return Expression_Output(graph, operands[0], (uint32_t)of->value, of->bits);
    case EXPRESSION_EXTRACT:
        return Expression_Extract(graph, operands[0], (uint32_t)of->value, of->bits);
    case EXPRESSION_CONCAT:
        return Expression_Concat(graph, operands[0], operands[1]);
    case EXPRESSION_ZERO_EXTEND:
    case EXPRESSION_SIGN_EXTEND:
        return Expression_Extend(graph, (ExpressionOperation)of->operation, operands[0], of->bits);
    case EXPRESSION_SSE_MASK:
        return Expression_Mask(graph, (uint32_t)of->value, of->control, operands[0], operands[1]);
    default:
        return Expression_Make(graph, (ExpressionOperation)of->operation, of->control, of->bits,
                               operands[0], of->count > 1 ? operands[1] : NULL);
    }
}

/* ---- asking ---------------------------------------------------------------------------------- */

bool Expression_IsConstant(const Expression *expression) {
    return expression->operation == EXPRESSION_CONSTANT;
}

ExpressionValue Expression_ValueOf(const Expression *constant) {
    return (ExpressionValue){constant->value, constant->head};
}

bool Expression_IsRounded(const Expression *expression) {
    switch (expression->operation) {
    case EXPRESSION_SSE_FROM_INTEGER:
        return expression->bits == 32;
    case EXPRESSION_SSE_CONVERT:
        return expression->bits == 32;
    case EXPRESSION_X87_SCALE:
        return true;
    default:
        return (ControlOf((ExpressionOperation)expression->operation) &
                (X87_ROUNDING | SSE_ROUNDING)) != 0;
    }
}

bool Expression_IsModelled(ExpressionGraph *graph, const Expression *expression) {
    return !(FactsOf(graph, expression) & HAS_UNMODELLED);
}

bool Expression_IsFixed(ExpressionGraph *graph, const Expression *expression) {
    return !(FactsOf(graph, expression) & (HAS_UNMODELLED | HAS_INPUT));
}

bool Expression_HasAddress(ExpressionGraph *graph, const Expression *expression) {
    return (FactsOf(graph, expression) & HAS_ADDRESS) != 0;
}

bool Expression_HasComparison(ExpressionGraph *graph, const Expression *expression) {
    return (FactsOf(graph, expression) & HAS_COMPARISON) != 0;
}

const Expression *Expression_Base(ExpressionGraph *graph, const Expression *address,
                                  const Expression **rest) {
    Linear sum;
    BeginSum(&sum, 32);
    AddTerms(&sum, address, 1);
    if (sum.overflows)
        return NULL;
    const Expression *base = NULL;
    uint32_t at = 0;
    for (uint32_t i = 0; i < sum.count; i++)
        if (sum.terms[i]->operation == EXPRESSION_ADDRESS) {
            if (base || (uint32_t)sum.factors[i] != 1)
                return NULL;
            base = sum.terms[i];
            at = i;
        }
    if (!base)
        return NULL;
    sum.terms[at] = sum.terms[sum.count - 1];
    sum.factors[at] = sum.factors[--sum.count];
    sum.constant += base->value;
    *rest = MakeSum(graph, &sum);
    return Expression_Address(graph, base->region, 0);
}

static bool IsNanPattern(const Expression *constant) {
    const uint64_t value = constant->value;
    switch (constant->bits) {
    case 32:
        return (value & 0x7FFFFFFF) > 0x7F800000;
    case 64:
        return (value & 0x7FFFFFFFFFFFFFFFu) > 0x7FF0000000000000u;
    default:
        return (constant->head & 0x7FFF) == 0x7FFF && value << 1 != 0;
    }
}

bool Expression_MayBeNan(const Expression *expression) {
    switch (expression->operation) {
    case EXPRESSION_CONSTANT:
        return IsNanPattern(expression);
    case EXPRESSION_X87_FROM_INTEGER:
    case EXPRESSION_SSE_FROM_INTEGER:
        return false;
    case EXPRESSION_X87_LOAD32:
    case EXPRESSION_X87_LOAD64:
    case EXPRESSION_X87_OPERAND32:
    case EXPRESSION_X87_OPERAND64:
    case EXPRESSION_X87_NEG:
    case EXPRESSION_X87_ABS:
    case EXPRESSION_X87_TO_F32:
    case EXPRESSION_X87_TO_F64:
    case EXPRESSION_SSE_CONVERT:
        return Expression_MayBeNan(expression->operands[0]);
    default:
        return true;
    }
}

bool Expression_MayBeSignalling(const Expression *expression) {
    switch (expression->operation) {
    case EXPRESSION_CONSTANT: {
        const uint32_t quiet = expression->bits == 32 ? 22 : expression->bits == 64 ? 51 : 62;
        return IsNanPattern(expression) && !(expression->value >> quiet & 1);
    }
    case EXPRESSION_X87_OPERAND32:
    case EXPRESSION_X87_OPERAND64:
    case EXPRESSION_X87_NEG:
    case EXPRESSION_X87_ABS:
        return Expression_MayBeSignalling(expression->operands[0]);
    case EXPRESSION_SSE_MIN: /* the second operand as it is */
    case EXPRESSION_SSE_MAX:
        return Expression_MayBeSignalling(expression->operands[1]);
    case EXPRESSION_SSE_MASK:
        return false; /* all ones are a quiet NaN */
    default:
        return !((expression->operation >= EXPRESSION_X87_LOAD32 &&
                  expression->operation <= EXPRESSION_X87_TO_F64) ||
                 (expression->operation >= EXPRESSION_SSE_ADD &&
                  expression->operation <= EXPRESSION_SSE_CONVERT &&
                  expression->operation != EXPRESSION_SSE_TO_INTEGER &&
                  expression->operation != EXPRESSION_SSE_TRUNCATE));
    }
}
