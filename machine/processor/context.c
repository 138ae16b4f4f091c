#include "machine/processor/context.h"
