/* The entries of g_FastProc in one build. dispatch.c includes this file once for each build, with
 * SLOT(n) defined as the function's name and SLOT_BUILD as its RpBuild. */

static ABI_PROTO_ngi32_slot4(SLOT(4)) {
    RpMatrix_Product34(SLOT_BUILD, &ngi32_hypotheses, a, b, product);
}

static ABI_PROTO_ngi32_slot7(SLOT(7)) {
    RpMatrix_Rotate(SLOT_BUILD, &ngi32_hypotheses, matrix, vector, result);
}

static ABI_PROTO_ngi32_slot11(SLOT(11)) {
    return RpScalar_ReciprocalSquareRoot(SLOT_BUILD, &ngi32_hypotheses, x);
}

static ABI_PROTO_ngi32_slot14(SLOT(14)) {
    RpQuaternion_ToMatrix(SLOT_BUILD, &ngi32_hypotheses, quaternion, matrix);
}

static ABI_PROTO_ngi32_slot15(SLOT(15)) {
    RpQuaternion_ToMirroredMatrix(SLOT_BUILD, &ngi32_hypotheses, quaternion, matrix);
}

static ABI_PROTO_ngi32_slot17(SLOT(17)) {
    RpQuaternion_Interpolate(SLOT_BUILD, &ngi32_hypotheses, q0, q1, t, result);
}

static ABI_PROTO_ngi32_slot20(SLOT(20)) {
    RpLight_Combine(SLOT_BUILD, light, ambient, scene, colour);
}

static ABI_PROTO_ngi32_slot22(SLOT(22)) {
    RpQuaternion_Interpolate(SLOT_BUILD, &ngi32_hypotheses, q0, q1, t, result);
}

static ABI_PROTO_ngi32_slot23(SLOT(23)) {
    RpMatrix_Product(SLOT_BUILD, &ngi32_hypotheses, a, b, product);
}

static ABI_PROTO_ngi32_slot26(SLOT(26)) {
    RpMatrix_PointToFrame(SLOT_BUILD, &ngi32_hypotheses, frame, point, result);
}

static ABI_PROTO_ngi32_slot28(SLOT(28)) {
    RpMatrix_PoseProduct(SLOT_BUILD, &ngi32_hypotheses, a, b, product);
}

static ABI_PROTO_ngi32_slot35(SLOT(35)) {
    RpMatrix_RotateTransposed(SLOT_BUILD, &ngi32_hypotheses, matrix, vector, result);
}

static ABI_PROTO_ngi32_slot38(SLOT(38)) {
    return RpVector_Normalise(SLOT_BUILD, &ngi32_hypotheses, vector);
}

static ABI_PROTO_ngi32_slot45(SLOT(45)) {
    return (uint32_t)RpSegment_Plane(SLOT_BUILD, &ngi32_hypotheses, start, end, plane, hit);
}
