#include "machine/services/services.h"
