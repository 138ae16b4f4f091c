#include "formats/peers/peer_json.h"

#include <math.h>

void PeerJson_Number(RpBuffer *json, double value) {
    if (isnan(value))
        RpBuffer_AppendText(json, "\"NaN\"");
    else if (isinf(value))
        RpBuffer_AppendText(json, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else
        RpBuffer_Print(json, "%.9g", value);
}

void PeerJson_Doubles(RpBuffer *json, const double *values, size_t count) {
    RpBuffer_AppendText(json, "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            RpBuffer_AppendText(json, ", ");
        PeerJson_Number(json, values[i]);
    }
    RpBuffer_AppendText(json, "]");
}

void PeerJson_Floats(RpBuffer *json, const float *values, size_t count) {
    RpBuffer_AppendText(json, "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            RpBuffer_AppendText(json, ", ");
        PeerJson_Number(json, (double)values[i]);
    }
    RpBuffer_AppendText(json, "]");
}

void PeerJson_Text(RpBuffer *json, const char *text, size_t size) {
    RpBuffer_AppendText(json, "\"");
    for (size_t i = 0; i < size && text[i]; i++) {
        const unsigned char byte = (unsigned char)text[i];
        if (byte < 32 || byte >= 127 || byte == '"' || byte == '\\')
            RpBuffer_Print(json, "\\u%04x", byte);
        else
            RpBuffer_Append(json, &byte, 1);
    }
    RpBuffer_AppendText(json, "\"");
}
