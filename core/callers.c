#include "core/callers.h"

CallersSwitch *callers_switch;
