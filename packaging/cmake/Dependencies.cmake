# Where scripts/setup-deps put the libraries that no package has. Toolchain files include this.
if(DEFINED ENV{RETROPOSE_DEPS})
    set(RETROPOSE_DEPS $ENV{RETROPOSE_DEPS})
else()
    set(RETROPOSE_DEPS ${CMAKE_CURRENT_LIST_DIR}/../../build/deps)
endif()
get_filename_component(RETROPOSE_DEPS ${RETROPOSE_DEPS} ABSOLUTE)
