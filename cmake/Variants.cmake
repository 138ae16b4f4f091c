# RETROPOSE_VARIANTS: the names of the stand-in's variants (tests/standin/variants/NAME.txt).
# RETROPOSE_VARIANT_FOLDERS: where the `windows` preset's target `variants` puts each pair, with
# truth.overlay (calls and addresses), truth.profile (readings) and truth.txt (exports, bases) beside it.
set(RETROPOSE_WINDOWS_BUILD ${retropose_SOURCE_DIR}/build/windows
    CACHE PATH "build directory that holds replacement/ and standin/")
file(GLOB RETROPOSE_VARIANTS CONFIGURE_DEPENDS ${retropose_SOURCE_DIR}/tests/standin/variants/*.txt)
list(TRANSFORM RETROPOSE_VARIANTS REPLACE ".*/([^/]+)\\.txt" "\\1")
if(WIN32)
    set(RETROPOSE_VARIANT_FOLDERS ${RETROPOSE_VARIANTS})
    list(TRANSFORM RETROPOSE_VARIANT_FOLDERS PREPEND ${retropose_BINARY_DIR}/variants/)
else()
    set(RETROPOSE_VARIANT_FOLDERS ${RETROPOSE_VARIANTS})
    list(TRANSFORM RETROPOSE_VARIANT_FOLDERS PREPEND ${RETROPOSE_WINDOWS_BUILD}/variants/)
endif()
