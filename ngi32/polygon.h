/* The choice of axis that mrnPointInPoly shares with the faces that are prepared for it. */
#ifndef RETROPOSE_NGI32_POLYGON_H
#define RETROPOSE_NGI32_POLYGON_H

/* Returns the axis along which a polygon of this normal is projected. The other two follow it, in
 * the order x, y, z, x. */
int Polygon_DroppedAxis(const float normal[3]);

#endif
