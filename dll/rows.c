/* The list of gates of one DLL. LIVE_GATE_LIST is gates-ngi32.h or gates-animesh.h. */
#include "dll/gate.h"

#include LIVE_GATE_LIST

const LiveGateRow live_gate_rows[] = {LIVE_GATE_ROWS LIVE_OUTGOING_ROWS};

/* The last element is not a gate. It is there because C has no empty arrays. */
static const LiveGateRow outgoing[] = {LIVE_OUTGOING_ROWS{0, 0}};

LiveGate live_gates[sizeof live_gate_rows / sizeof *live_gate_rows];
const uint32_t live_gate_count = sizeof live_gate_rows / sizeof *live_gate_rows;
const uint32_t live_outgoing_count = sizeof outgoing / sizeof *outgoing - 1;
