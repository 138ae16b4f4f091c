#include "machine/translator/translator.h"
