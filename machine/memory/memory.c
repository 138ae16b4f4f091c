#include "machine/memory/memory.h"
