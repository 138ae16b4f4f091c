#include "machine/interpreter/interpreter.h"
