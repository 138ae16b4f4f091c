/* All public headers at once. Each of them also stands alone, for programs that need little. */
#ifndef RETROPOSE_RETROPOSE_H
#define RETROPOSE_RETROPOSE_H

#include "ani.h"
#include "api.h"
#include "arithmetic.h"
#include "corpus.h"
#include "error.h"
#include "fastproc.h"
#include "file.h"
#include "finding.h"
#include "gltf.h"
#include "machine.h"
#include "memory.h"
#include "mesh_object.h"
#include "model_pose.h"
#include "msh.h"
#include "msh_anim.h"
#include "msh_check.h"
#include "msh_edit.h"
#include "msh_make.h"
#include "msh_text.h"
#include "nres.h"
#include "pose.h"
#include "readings.h"
#include "rsli.h"
#include "sequencer.h"
#include "texm.h"
#include "trace.h"
#include "view.h"

/* Made from version.h.in where the library is built, and installed beside this file. */
#include <retropose/version.h>

#endif
